import { expect, test } from 'vitest'
import { listOperations, readDocument, readYaml } from '../../spec/document.ts'
import type { JsonSchema } from '../../spec/json-schema.ts'
import { LIFECYCLES } from '../../spec/generated/lifecycles.ts'
import { isSuccess, retryOffsetsMs } from '../../spec/delivery.ts'
import { readings, readingValues } from '../../spec/readings.ts'

const document = readDocument('openapi.yaml')
const ids = new Set(readings.map(({ id }) => id))

interface Tagged {
  readonly $ref?: string
  readonly 'x-source'?: string
  readonly 'x-reading'?: string
  readonly [other: string]: unknown
}

/** Where a node says neither which section states it nor which reading it is. */
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

test('every schema and every field names its section or its reading', () => {
  const strays = Object.entries(document.schemas).flatMap(([name, schema]) => [
    ...untagged(schema, name),
    ...fieldsOf(schema, name),
  ])

  expect(strays).toEqual([])
})

test('every operation and every parameter names its section or its reading', () => {
  const strays = listOperations(document).flatMap(({ path, method, operation, item }) => [
    ...untagged(operation, `${method} ${path}`),
    ...[...(item.parameters ?? []), ...(operation.parameters ?? [])].flatMap((parameter) =>
      untagged(parameter, `${method} ${path} ${'name' in parameter ? parameter.name : ''}`),
    ),
  ])

  expect(strays).toEqual([])
})

test('the states of items are the same in the schema and in the life cycles', () => {
  const schema = readYaml<{ enum: string[] }>('schemas/item-state.yaml')

  expect(Object.keys(LIFECYCLES.objects.items.states)).toEqual(schema.enum)
})

const PAIRED = [
  ['items', 'Item', 'status', 'code'],
  ['batch_transactions', 'PaymentDirectDebitBatchTransaction', 'status', 'code'],
  ['disbursements', 'Disbursement', 'npp_payout_state', 'with'],
] as const

test.each(PAIRED)(
  'the states of %s go with the same in %s as in the life cycles, for the same reason',
  (...[type, schema, field, column]) => {
    const valueOf = (pair: JsonSchema, name: string): unknown => pair.properties?.[name]?.const
    const pairs = document.schemas[schema]?.oneOf?.map((pair) => [
      valueOf(pair, 'state'),
      valueOf(pair, field),
      pair['x-source'],
      pair['x-reading'],
    ])
    const states = Object.entries<Readonly<Record<string, unknown>>>(LIFECYCLES.objects[type].states)

    expect(pairs).toEqual(states.map(([state, row]) => [state, row[column], row['source'], row['reading']]))
  },
)

test('the retries are due 5, 25, 105 and 425 minutes after the first failure, and 1705 if five are sent', () => {
  const minutes = (window: '24h' | 'five-attempts') =>
    retryOffsetsMs('webhooks', readingValues({ 'retry-window': window })).map((ms) => ms / 60_000)

  expect(minutes('24h')).toEqual([5, 25, 105, 425])
  expect(minutes('five-attempts')).toEqual([5, 25, 105, 425, 1705])
})

test('a delivery succeeds from 200 to 299', () => {
  expect([199, 200, 204, 299, 300, 304].map(isSuccess)).toEqual([false, true, true, true, false, false])
})
