import { expect, test } from 'vitest'
import { catalogue } from '../../contracts/catalogue.ts'
import { PROMISES } from '../../spec/generated/promises.ts'
import { readings } from '../../spec/readings.ts'

test('the ids of checks are unique', () => {
  const ids = catalogue.map(({ id }) => id)

  expect(new Set(ids).size).toBe(ids.length)
})

test.each(catalogue)('$id says in kebab-case what it is about, in sentences', (check) => {
  expect(check).toMatchObject({
    id: expect.stringMatching(/^[a-z]+(-[a-z]+)*\/[a-z]+(-[a-z]+)*$/),
    requirement: expect.stringMatching(/^[A-Z].*\.$/),
    meaning: expect.stringMatching(/\.$/),
    remedy: expect.stringMatching(/^[A-Z].*\.$/),
  })
})

test.each(catalogue)('$id rests on lines of the document that promise something', (check) => {
  const known = new Set(Object.keys(PROMISES))

  expect(check.lines.filter((line) => !known.has(String(line)))).toEqual([])
})

test.each(catalogue)('$id rests on readings that exist', (check) => {
  const known = new Set(readings.map(({ id }) => id))

  expect((check.readings ?? []).filter((id) => !known.has(id))).toEqual([])
})

test('the checks of URLs and certificates run on a receiver that cannot be reached', () => {
  expect(catalogue.filter(({ probes }) => probes === 'address').map(({ id }) => id)).toEqual([
    'registration/url-form',
    'registration/unguessable-url',
    'transport/trusted-chain',
    'transport/not-self-signed',
    'transport/name-and-validity',
    'transport/expires-soon',
    'transport/sends-intermediates',
  ])
})
