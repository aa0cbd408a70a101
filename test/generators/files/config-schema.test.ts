import { Ajv2020 } from 'ajv/dist/2020.js'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { yamlConfig } from '../../../contracts/config/template.ts'
import { configFiles } from '../../../generators/files/config-schema.ts'
import { CONFIG_SCHEMAS } from '../../../spec/generated/config-schemas.ts'
import { notifiedTypes } from '../../../spec/notifications.ts'
import { paymentKinds } from '../../../spec/payments.ts'
import { readingValues } from '../../../spec/readings.ts'

const file = JSON.parse(
  readFileSync(new URL('../../../spec/generated/config.schema.json', import.meta.url), 'utf8'),
)
// Editors pass over what they do not know, and so does this.
const fits = new Ajv2020({ strictSchema: false, allowUnionTypes: true }).compile(file)

test('the schema for editors is plain JSON Schema, and takes what init writes', () => {
  expect(fits(parse(yamlConfig))).toBe(true)
  expect(
    fits({ ...parse(yamlConfig), $schema: '../config.schema.json', consequences: { 'bpay-payin': null } }),
  ).toBe(true)
  expect(JSON.stringify(file)).not.toMatch(/"x-|components\/schemas/)
})

test.each([
  { bench_port: 1 },
  { readings: { signature: 'maybe' } },
  { consequences: { 'card-payin': { object_type: 'item', state: 'a' } } },
  { effects: { http: 'a', sink: true } },
  { effects: { function: 'a' } },
  { service: { token: 'a' } },
])('the schema for editors refuses %j', (config) => {
  expect(fits(config)).toBe(false)
})

test('the schema has a key for each reading, type and payment of the spec', () => {
  const { properties = {} } = CONFIG_SCHEMAS['ConfigFile'] ?? {}
  const keysOf = (schema: { readonly properties?: object } | undefined) =>
    Object.keys(schema?.properties ?? {})

  expect(keysOf(properties['readings'])).toEqual(Object.keys(readingValues()))
  expect(keysOf(properties['consequences'])).toEqual(paymentKinds)
  expect(keysOf(CONFIG_SCHEMAS['GenerationUrl'])).toEqual(notifiedTypes)
  expect(properties['readings']?.properties?.['retry-window']).toMatchObject({
    enum: ['24h', 'five-attempts'],
    default: '24h',
    description: expect.stringContaining('24h: The fifth retry lies outside'),
  })
})

test('configFiles() refuses a list that the spec does not have', async () => {
  const document = { $schema: '', $defs: {}, properties: { a: { type: 'object', 'x-keys': 'planets' } } }

  await expect(configFiles(document, {})).rejects.toThrow('Cannot fill in "planets": unknown list')
})
