import { expect, test } from 'vitest'
import { catalogue, select } from '../../contracts/catalogue.ts'
import { readings } from '../../spec/readings.ts'

const ids = catalogue.map(({ id }) => id)
const selected = (...names: string[]) => select(names).map(({ id }) => id)

test('the ids of checks are unique', () => {
  expect(new Set(ids).size).toBe(ids.length)
})

test.each(catalogue)('$id says in kebab-case what it is about, and where it comes from', (check) => {
  expect(check).toMatchObject({
    id: expect.stringMatching(/^[a-z]+(-[a-z]+)*\/[a-z]+(-[a-z]+)*$/),
    requirement: expect.stringMatching(/^[A-Z].*\.$/),
    source: expect.arrayContaining([expect.stringMatching(/^§\d+(\.\d+)*$/)]),
  })
})

test.each(catalogue)('$id rests on readings that exist', (check) => {
  const known = new Set(readings.map(({ id }) => id))

  expect((check.readings ?? []).filter((id) => !known.has(id))).toEqual([])
})

test('select() gives all checks for no names', () => {
  expect(selected()).toEqual(ids)
})

test.each(ids)('select() knows %s by its id and by its topic', (id) => {
  const [topic = ''] = id.split('/')

  expect(selected(id)).toEqual([id])
  expect(selected(topic)).toEqual(ids.filter((other) => other.startsWith(`${topic}/`)))
})

test('select() keeps the order of the catalogue, and takes each check once', () => {
  const [first = '', ...rest] = ids

  expect(selected(...rest.toReversed(), first, first)).toEqual(ids)
})

test.each([
  ['idempotency/same-delivery-agian', 'idempotency/same-delivery-again'],
  ['http/accept-golden-bodies', 'http/accepts-golden-bodies'],
  ['registration/accepts-testpost', 'registration/accepts-test-post'],
])('select() knows no %s and suggests %s', (name, nearest) => {
  expect(() => select([name])).toThrow(
    new RangeError(`Cannot find check "${name}": the nearest is "${nearest}" (npx hookbench check --list)`),
  )
})

test.each(['', '/', 'htt', 'accepts-golden-bodies', 'toString'])('select() knows no "%s"', (name) => {
  expect(() => select(['http', name])).toThrow(`Cannot find check "${name}"`)
})
