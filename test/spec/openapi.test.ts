import { expect, test } from 'vitest'
import { listOperations, readDocument } from '../../spec/document.ts'
import type { JsonSchema } from '../../spec/json-schema.ts'
import { LIFECYCLES } from '../../spec/generated/lifecycles.ts'
import { readings, readingValues } from '../../spec/readings.ts'
import { isNotified, paymentSteps } from '../../spec/payments.ts'
import { faultKinds } from '../../spec/faults.ts'
import { signatureHeader } from '../../spec/signature.ts'

const document = readDocument('openapi.yaml')

const ids = new Set(readings.map(({ id }) => id))

interface Tagged {
  readonly $ref?: string
  readonly 'x-source'?: string
  readonly 'x-reading'?: string
  readonly [other: string]: unknown
}

/** Returns the path of an OpenAPI node that names neither a valid section nor a known reading. */
function untagged(value: object, path: string): string[] {
  const node: Tagged = { ...value }
  if (node.$ref !== undefined) return []
  const known = node['x-reading'] === undefined || ids.has(node['x-reading'])
  const tagged = (node['x-source'] ?? node['x-reading']) !== undefined
  const stated = node['x-source'] === undefined || /^§\d+(\.\d+)?$/.test(node['x-source'])
  return known && tagged && stated ? [] : [path]
}

function fieldsOf(schema: object, path: string): string[] {
  const properties: Record<string, Tagged> = Reflect.get(schema, 'properties') ?? {}
  return Object.entries(properties).flatMap(([name, field]) => [
    ...untagged(field, `${path}/${name}`),
    ...fieldsOf(field, `${path}/${name}`),
  ])
}

test('every schema and every field names its document section or its reading', () => {
  const strays = Object.entries(document.schemas).flatMap(([name, schema]) => [
    ...untagged(schema, name),
    ...fieldsOf(schema, name),
  ])

  expect(strays).toEqual([])
})

test('every operation and every parameter names its document section or its reading', () => {
  const strays = listOperations(document).flatMap(({ path, method, operation, item }) => [
    ...untagged(operation, `${method} ${path}`),
    ...[...(item.parameters ?? []), ...(operation.parameters ?? [])].flatMap((parameter) =>
      untagged(parameter, `${method} ${path} ${'name' in parameter ? parameter.name : ''}`),
    ),
  ])

  expect(strays).toEqual([])
})

test('the schema and the life-cycle definition list the same item states', () => {
  expect(Object.keys(LIFECYCLES.objects.items.states)).toEqual(document.schemas['ItemState']?.enum)
})

const PAIRED = [
  ['items', 'Item', 'status', 'code'],
  ['batch_transactions', 'PaymentDirectDebitBatchTransaction', 'status', 'code'],
  ['disbursements', 'Disbursement', 'npp_payout_state', 'with'],
] as const

test.each(PAIRED)('the states of %s equal the states of %s', (...[type, schema, field, column]) => {
  const valueOf = (pair: JsonSchema, name: string): unknown => pair.properties?.[name]?.const
  const pairs = document.schemas[schema]?.oneOf?.map((pair) => [
    valueOf(pair, 'state'),
    valueOf(pair, field),
    pair['x-source'],
    pair['x-reading'],
  ])
  const states = Object.entries<Readonly<Record<string, unknown>>>(LIFECYCLES.objects[type].states)

  expect(pairs).toEqual(states.map(([state, row]) => [state, row[column], row['source'], row['reading']]))
})

test('isNotified() follows the reading "realtime-payout-sequence"', () => {
  const [first] = paymentSteps('realtime-payout', 'successful').flat()
  const under = (option: string) =>
    first && isNotified(first, readingValues({ 'realtime-payout-sequence': option }))

  expect([under('with-processing'), under('final-only')]).toEqual([true, false])
})

const { properties = {} } = readDocument('control.yaml').schemas['FaultRequest'] ?? {}

test('the control API schema accepts exactly the implemented fault kinds', () => {
  const kinds = Object.values(faultKinds).flatMap((byName) => Object.keys(byName))

  expect(properties['kind']?.enum).toEqual([...new Set(kinds)])
})

test('the control API accepts every setting of a kind of fault', () => {
  const settings = Object.values(faultKinds).flatMap((byName) =>
    Object.values(byName).flatMap(({ takes, needs = [] }) => [...takes, ...needs]),
  )

  expect(settings.filter((name) => !(name in properties))).toEqual([])
})

const [FIRST, SECOND] = ['k3Vq8ZrT1mXw6Yp0sDf4Gh7Jb2Nc5Le9', 'a/different+secret=of~32_or-more!chars']

const BODY = '{"items":{"name":"Größe 42 ✓"}}'

// Each `v` was created with printf '%s' "$T.$BODY" | openssl dgst -sha256 -hmac "$SECRET" -binary | openssl base64 -A | tr '+/'
// '-_' | tr -d '='
test.each([
  [
    'a known test vector',
    { secrets: ['xPpcHHoAOM'], t: 1_257_894_000, body: '{"event": "status_updated"}' },
    't=1257894000,v=MHs6orLEJg1W1wPqkL_8X24UjUVe-ZiAXtk2ICHotuQ',
  ],
  [
    'the same body as bytes',
    { secrets: [FIRST], t: 1_767_225_600, body: Buffer.from(BODY) },
    't=1767225600,v=SfT2PhDUcsbQVdZAUr17PJXVejLQijs0rluu2T8AH50',
  ],
  [
    'two secrets in order',
    { secrets: [SECOND, FIRST], t: 1_767_225_600, body: BODY },
    't=1767225600,v=dbNm3GPn1D87tzngrmFkLwWyLIjFC55-Ao65dcbV_JM,v=SfT2PhDUcsbQVdZAUr17PJXVejLQijs0rluu2T8AH50',
  ],
  ['no body', { secrets: [FIRST], t: 1, body: '' }, 't=1,v=fFDpFd8_bxfdozDgh9SISG9PgDctRCWPZo2ZUmxM99Y'],
])('signatureHeader() returns the same signature as openssl for %s', (_, { secrets, t, body }, expected) => {
  expect(signatureHeader(secrets, t, body)).toBe(expected)
})
