import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen, type Listener } from '../../../../sandbox/adapters/node-server.ts'
import { NEVE } from '../../../support/platform.ts'
import { ask, askFresh, withoutEffect } from '../../../support/requests.ts'
import { RECEIVER, testSandbox } from '../../../support/test-sandbox.ts'

const FIELDS = { url: RECEIVER, object_type: 'items' }
const FORM = new URLSearchParams(FIELDS).toString()
const JSON_TEXT = JSON.stringify(FIELDS)

const PERSON_FORM = new URLSearchParams(NEVE).toString()

/** Encodes a text as bytes, because fetch adds a content type to text. */
const bytes = (text: string) => new TextEncoder().encode(text)

const TAKEN: readonly (readonly [what: string, query: string, body: string])[] = [
  ['a form', '', FORM],
  ['JSON', '', JSON_TEXT],
  ['the query', FORM, ''],
  ['the query and an empty list', FORM, '[]'],
  ['the query and a form', 'object_type=items', new URLSearchParams({ url: RECEIVER }).toString()],
]

test.each(TAKEN)('POST /webhooks accepts %s without a content type', async (_, query, body) => {
  const answer = await askFresh(`/webhooks?${query}`, { type: '', body: bytes(body) })

  expect(answer).toMatchObject({ status: 201, body: FIELDS, sent: 1, stored: 1, errors: [] })
})

test.each(['text/plain;charset=UTF-8', 'application/json', 'multipart/form-data', 'application/xml'])(
  'POST /webhooks reads the fields from the query when the content type is "%s"',
  async (type) => {
    const answer = await askFresh(`/webhooks?${FORM}`, { type, body: '' })

    expect(answer).toMatchObject({ status: 201, body: FIELDS, sent: 1, errors: [] })
  },
)

test.each([
  ['PHP writes it', 'exported_ids%5B0%5D=a&exported_ids%5B1%5D=b&state=12000'],
  ['an HTML form writes it', 'exported_ids[]=a&exported_ids[]=b&state=12000'],
])('the service reads an array as %s when the content type is missing', async (_, list) => {
  const answer = await askFresh('/batches/1/transaction_states', {
    method: 'PATCH',
    type: '',
    body: bytes(list),
  })

  expect(answer).toMatchObject({
    status: 200,
    body: { errors: [/^a:/, /^b:/].map((start) => expect.stringMatching(start)) },
  })
})

test.each([
  ['a text', 'hello', 415],
  ['markup', '<webhook type="items"/>', 415],
  ['truncated JSON', '{"url":', 400],
  ['a duplicate field', `${FORM}&url=x`, 422],
])('POST /webhooks rejects %s without a content type', async (_, body, status) => {
  expect(await askFresh('/webhooks', { type: '', body: bytes(body) })).toMatchObject(withoutEffect(status))
})

const sandbox = testSandbox()
let listener: Listener

beforeAll(async () => {
  listener = await listen(sandbox.handle, { port: 0, flag: '--port' })
})

afterAll(() => listener.close(0))

/** The headers of clients that send no content type or an empty content type. */
const CLIENTS: readonly (readonly [client: string, headers: Readonly<Record<string, string>>])[] = [
  ['curl -H content-type:', {}],
  ['PHP, which sends an empty content type', { 'content-type': '' }],
  ['a client that sends a chunked body', { 'transfer-encoding': 'chunked' }],
]

const WAYS: readonly (readonly [way: string, query: string, body: string])[] = [
  ['the query', PERSON_FORM, ''],
  ['a form', '', PERSON_FORM],
  ['JSON', '', JSON.stringify(NEVE)],
]

test.each(
  CLIENTS.flatMap(([client, headers]) => WAYS.map(([way, ...sent]) => [way, client, headers, sent] as const)),
)('the listener accepts %s when no content type is sent: %s', async (...[, , headers, [query, body]]) => {
  const { status, text } = await send(`/users?${query}`, { headers, body })

  expect([status, JSON.parse(text).users]).toMatchObject([201, { email: NEVE.email, first_name: 'Neve' }])
})

test('PATCH /users/:id without a content type changes the named fields', async () => {
  const { users } = (await ask(sandbox, '/users', { body: JSON.stringify(NEVE) })).body

  const form = await send(`/users/${users.id}`, { method: 'PATCH', headers: {}, body: 'last_name=Okoro' })
  const query = await send(`/users/${users.id}?first_name=Ada`, {
    method: 'PATCH',
    headers: { 'content-type': '' },
    body: '',
  })

  expect([form.status, query.status]).toEqual([200, 200])
  expect(JSON.parse(query.text).users.full_name).toBe('Ada Okoro')
})

interface Sent {
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends only `headers` and the required headers. */
async function send(path: string, { method = 'POST', headers, body }: Sent) {
  const length = 'transfer-encoding' in headers ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const authorization = `Basic ${btoa('sandbox@example.test:sandbox-token')}`
  const call = request(`${listener.url}${path}`, {
    method,
    headers: { authorization, ...length, ...headers },
  })
  call.end(body)
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  return { status: response.statusCode, text: await readText(response) }
}
