import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { generate } from '../../generators/generate.ts'
import { findStale } from '../../generators/generated-file.ts'
import { configText } from '../../contracts/cli/init.ts'
import { CONFIG_SCHEMAS } from '../../spec/generated/config-schemas.ts'
import { notifiedTypes } from '../../spec/notifications.ts'
import { paymentKinds } from '../../spec/payments.ts'
import { readingValues } from '../../spec/readings.ts'

test('generate() returns the same output for the same input', async () => {
  expect(await generate()).toEqual(await generate())
}, 600_000)

test('findStale() lists every changed, missing and obsolete file', () => {
  const files = [
    { path: 'a.ts', text: 'a' },
    { path: 'b.ts', text: 'b' },
    { path: 'c.ts', text: 'c' },
  ]
  const onDisk: Record<string, string> = { 'a.ts': 'a', 'b.ts': 'changed', 'z.ts': 'old' }

  const paths = findStale(files, (path) => onDisk[path], Object.keys(onDisk))

  expect(paths).toEqual(['b.ts', 'c.ts', 'z.ts'])
})

const file = JSON.parse(
  readFileSync(new URL('../../spec/generated/config.schema.json', import.meta.url), 'utf8'),
)

// Ignores unknown schema keywords, as editors do.
const fits = new Ajv2020({ strictSchema: false, allowUnionTypes: true }).compile(file)

test('the schema for editors is plain JSON Schema and accepts the files that init writes', () => {
  expect(fits(parse(configText('hookbench.config.yaml')))).toBe(true)
  expect(
    fits({
      ...parse(configText('hookbench.config.yaml')),
      $schema: '../config.schema.json',
      consequences: { 'bpay-payin': null },
    }),
  ).toBe(true)
  expect(JSON.stringify(file)).not.toMatch(/"x-|components\/schemas/)
})

test.each([
  { bench_port: 1 },
  { readings: { signature: 'maybe' } },
  { consequences: { 'card-payin': { object_type: 'item', state: 'a' } } },
  { effects: { http: 'a', sink: true } },
  { service: { token: 'a' } },
])('the schema for editors rejects the configuration %j', (config) => {
  expect(fits(config)).toBe(false)
})

test('the schema of the configuration has a key for each reading, type and payment', () => {
  const { properties = {} } = CONFIG_SCHEMAS['ConfigFile'] ?? {}
  const keysOf = (schema: { readonly properties?: object } | undefined) =>
    Object.keys(schema?.properties ?? {})

  expect(keysOf(properties['readings'])).toEqual(Object.keys(readingValues()))
  expect(keysOf(properties['consequences'])).toEqual(paymentKinds)
  expect(keysOf(CONFIG_SCHEMAS['GenerationUrl'])).toEqual(notifiedTypes)
  expect(properties['readings']?.properties?.['retry-window']).toMatchObject({
    enum: ['24h', 'five-attempts'],
    default: '24h',
    description: expect.stringContaining('24h: The fifth retry is outside'),
  })
})
