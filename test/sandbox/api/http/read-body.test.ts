import { expect, test } from 'vitest'
import { askFresh, withoutEffect } from '../../../support/requests.ts'
import { RECEIVER } from '../../../support/test-sandbox.ts'

const ITEMS = '/control/objects/items'
const FORM = 'application/x-www-form-urlencoded'
const MAX_BYTES = 262_144
const MAX_FORM_BYTES = 65_536

const fieldsOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, each) => [`f${each}`, 1]))
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

const MALFORMED: readonly (readonly [name: string, body: string | Uint8Array])[] = [
  ['an extra comma', '{"amount":1,}'],
  ['truncated JSON', '{"amount":'],
  ['two JSON values', '{}{}'],
  ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
  ['spaces only', '   '],
]

const UNACCEPTABLE: readonly (readonly [name: string, body: string])[] = [
  ['null', 'null'],
  ['a list', '[]'],
  ['nesting of 70 levels', nested(70)],
  ['nesting of 100 000 levels', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['an array of 10,001 elements', JSON.stringify({ a: Array.from({ length: 10_001 }, () => 1) })],
  ['a number that loses precision', '{"amount":9007199254740993}'],
  ['a number outside the numeric range', '{"amount":1e400}'],
  ['1,001 fields', JSON.stringify(fieldsOf(1_001))],
  ['half a surrogate pair in a string at the top level', String.raw`{"name":"\ud800"}`],
]

const REFUSED = [
  ...MALFORMED.map(([name, body]) => [name, body, 400, 'Bad Request'] as const),
  ...UNACCEPTABLE.map(([name, body]) => [name, body, 422, 'Unprocessable entity'] as const),
]

test.each(REFUSED)('every API rejects a body with %s', async (...[, body, status, words]) => {
  expect(await askFresh(ITEMS, { body })).toMatchObject(withoutEffect(status))
  expect(await askFresh('/webhooks', { body })).toMatchObject(
    withoutEffect(status, { status: words, message: expect.stringContaining('Cannot read the body') }),
  )
  expect(await askFresh('/tokens', { body })).toMatchObject(withoutEffect(400, { error: 'bad request' }))
})

test('the control API rejects an empty body', async () => {
  expect(await askFresh(ITEMS, { body: '' })).toMatchObject(withoutEffect(400))
})

test('the error names the content type when JSON is sent as a form', async () => {
  expect(await askFresh('/webhooks', { type: FORM, body: '{"object_type":"items"}' })).toMatchObject(
    withoutEffect(400, {
      status: 'Bad Request',
      message: expect.stringContaining('"content-type: application/json"'),
    }),
  )
})

test('the service treats an empty body as a body without fields', async () => {
  expect(await askFresh('/webhooks')).toMatchObject(
    withoutEffect(400, { status: 'Bad Request', message: 'Required fields missing: url, object_type' }),
  )
})

test.each([
  ['__proto__', '{"__proto__":{"admin":true}}'],
  ['constructor', '{"constructor":{"prototype":{"admin":true}}}'],
  ['related/__proto__', '{"related":{"__proto__":{"admin":true},"buyers":"x","sellers":"y"}}'],
])('the key %s is rejected as an unknown field', async (field, body) => {
  const bench = await askFresh(ITEMS, { body })
  const service = await askFresh('/webhooks', { body })

  expect(bench).toMatchObject(withoutEffect(422, { error: { field } }))
  expect(service).toMatchObject(withoutEffect(400))
  expect(Reflect.get({}, 'admin')).toBeUndefined()
})

const FOREIGN_TYPES = [
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/json\tx',
  'application/json, text/plain',
  'application/ld+json',
  'application/json; charset=utf-16',
]

test.each([...FOREIGN_TYPES, FORM, ''])('the content type "%s" is rejected', async (type) => {
  const body = Buffer.from('{"amount":1200}')

  expect(await askFresh(ITEMS, { type, body })).toMatchObject(withoutEffect(415))
  if (FOREIGN_TYPES.includes(type))
    expect(await askFresh('/webhooks', { type, body })).toMatchObject(withoutEffect(415))
})

test.each(['application/json;', 'APPLICATION/JSON', 'application/json ; charset="UTF-8"'])(
  'the content type "%s" is read as JSON',
  async (type) => {
    expect((await askFresh(ITEMS, { type, body: '{"amount":1200}' })).status).toBe(201)
  },
)

test.each([ITEMS, '/webhooks', '/tokens'])('%s reads no body that is declared too long', async (path) => {
  const { body, pulled } = endlessBody()
  const headers = { 'content-length': String(MAX_BYTES + 1) }

  expect(await askFresh(path, { body, headers })).toMatchObject(withoutEffect(413))
  expect(pulled()).toBeLessThanOrEqual(1)
})

test.each([ITEMS, '/webhooks', '/tokens'])('%s stops reading a body at the limit', async (path) => {
  const { body, pulled } = endlessBody()

  expect(await askFresh(path, { body })).toMatchObject(withoutEffect(413))
  expect(pulled()).toBeLessThanOrEqual(MAX_BYTES / CHUNK.length + 2)
})

test.each<[string, string, string]>([
  ['typed', FORM, 'a='],
  ['untyped', '', 'a='],
])('the service reads an %s form of 64 KB and rejects a larger form', async (_, type, start) => {
  const form = (bytes: number) => Buffer.from(start + 'x'.repeat(bytes - start.length))
  const [read, refused] = await Promise.all([
    askFresh('/webhooks', { type, body: form(MAX_FORM_BYTES) }),
    askFresh('/webhooks', { type, body: form(MAX_FORM_BYTES + 1) }),
  ])

  expect(read).toMatchObject({ status: 400, body: { message: expect.stringContaining('Required fields') } })
  expect(refused).toMatchObject(withoutEffect(413))
})

test.each([
  ['PUT', '/control/snapshot'],
  ['POST', '/control/deliveries'],
])('the control API rejects %s %s without a token before reading the body', async (method, path) => {
  const { body, pulled } = endlessBody()

  expect(await askFresh(path, { method, body, authorization: '' })).toMatchObject(withoutEffect(401))
  expect(pulled()).toBeLessThanOrEqual(1)
})

test('the control API reads a crafted delivery of up to 1 MB', async () => {
  const body = (bytes: number) => JSON.stringify({ url: RECEIVER, raw: 'x'.repeat(bytes) })

  expect((await askFresh('/control/deliveries', { body: body(900_000) })).status).toBe(201)
  expect((await askFresh('/control/deliveries', { body: body(1_000_000) })).status).toBe(413)
})

test('the control API reads a body of the maximum length', async () => {
  const [start, end] = ['{"nope":"', '"}']
  const body = start + 'x'.repeat(MAX_BYTES - start.length - end.length) + end

  expect((await askFresh(ITEMS, { body })).body.error.message).toContain('Unknown field "nope"')
})

const CHUNK = new TextEncoder().encode(' '.repeat(50_000))

/** Creates an endless body that counts its reads. */
function endlessBody() {
  let count = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      count += 1
      controller.enqueue(CHUNK)
    },
  })
  return { body, pulled: () => count }
}

test('the service rejects a form of 1,001 fields', async () => {
  const body = new URLSearchParams(Object.keys(fieldsOf(1_001)).map((name) => [name, '1'])).toString()

  expect(await askFresh('/users', { type: FORM, body })).toMatchObject(withoutEffect(422))
})

test('a rejection lists the first 20 unknown fields', async () => {
  const { status, body } = await askFresh('/control/faults', {
    body: JSON.stringify({ on: 'delivery', kind: 'duplicate', match: fieldsOf(1_000) }),
  })

  expect([status, body.error.message.split(', ').length]).toEqual([422, 20])
})

const ITEM = { name: 'A bike', buyer_id: 'b', seller_id: 's' }

test.each(['9007199254740993', '-0'])('the amount %s is invalid in JSON, form and query', async (amount) => {
  const form = new URLSearchParams({ ...ITEM, amount }).toString()
  const replies = await Promise.all([
    askFresh('/items', { body: JSON.stringify(ITEM).replace('}', `,"amount":${amount}}`) }),
    askFresh('/items', { body: JSON.stringify({ ...ITEM, amount }) }),
    askFresh('/items', { type: FORM, body: form }),
    askFresh(`/items?${form}`),
    askFresh(ITEMS, { body: `{"amount":${amount}}` }),
  ])

  expect(replies.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
  expect(replies.map(({ body }) => Object.keys(body.errors ?? {})[0] ?? body.error.field)).toEqual(
    Array.from({ length: 5 }, () => 'amount'),
  )
})

test('the control API accepts the largest exact amount', async () => {
  expect((await askFresh(ITEMS, { body: '{"amount":9007199254740991}' })).status).toBe(201)
})
