import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalogue } from '../../contracts/catalogue.ts'
import { NEEDS } from '../../contracts/check.ts'
import { PROMISES } from '../../spec/generated/promises.ts'
import { readings } from '../../spec/readings.ts'

test('the ids of checks are unique', () => {
  const ids = catalogue.map(({ id }) => id)

  expect(new Set(ids).size).toBe(ids.length)
})

test.each(catalogue)('the check $id has a kebab-case name, and its texts are full sentences', (check) => {
  expect(check).toMatchObject({
    id: expect.stringMatching(/^[a-z]+(-[a-z]+)*\/[a-z]+(-[a-z]+)*$/),
    requirement: expect.stringMatching(/^[A-Z].*\.$/),
    meaning: expect.stringMatching(/\.$/),
    remedy: expect.stringMatching(/^[A-Z].*\.$/),
  })
})

test.each(catalogue)('the check $id cites lines of the service document that state a rule', (check) => {
  const known = new Set(Object.keys(PROMISES))

  expect(check.lines.filter((line) => !known.has(String(line)))).toEqual([])
})

test.each(catalogue)('the check $id refers to existing readings', (check) => {
  const known = new Set(readings.map(({ id }) => id))

  expect((check.readings ?? []).filter((id) => !known.has(id))).toEqual([])
})

test('checks of URLs and certificates run even when the receiver is unreachable', () => {
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

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly $defs?: Readonly<Record<string, Schema>>
}

const CONFIG = JSON.parse(
  readFileSync(new URL('../../spec/generated/config.schema.json', import.meta.url), 'utf8'),
) as Schema

function hasKey(schema: Schema, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true
  const { $ref, properties = {}, anyOf = [], oneOf = [] } = schema
  const target = $ref === undefined ? undefined : CONFIG.$defs?.[$ref.slice($ref.lastIndexOf('/') + 1)]
  const others = [...(target ? [target] : []), ...anyOf, ...oneOf]
  const child = properties[key]
  return (child !== undefined && hasKey(child, rest)) || others.some((other) => hasKey(other, [key, ...rest]))
}

test.each(Object.values(NEEDS).flatMap(({ settings }) => settings.split(/ and | or /)))(
  'the setting %s that a check requires is a key of the configuration',
  (setting) => {
    expect(hasKey(CONFIG, setting.split('.'))).toBe(true)
  },
)
