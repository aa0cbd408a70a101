import { expect, test } from 'vitest'
import {
  createEndpoint,
  type Answer,
  type EndpointOptions,
  type IncomingRequest,
} from '../../../contracts/reference-receiver/starter/receiver.mjs'
import type { Notification } from '../../../contracts/reference-receiver/starter/store.mjs'
import { signatureOf } from '../../../contracts/reference-receiver/starter/receiver.mjs'

const PATH = '/notifications/items/s3cret'
const ITEM = '{"items":{"id":"i1"}}'

/** What is answered to an item's notification that differs in this, and what was accepted. */
async function answerTo(
  { text = ITEM, ...different }: Partial<IncomingRequest> & { readonly text?: string },
  options: Omit<EndpointOptions, 'token'> = {},
): Promise<Answer & { readonly accepted: readonly Notification[] }> {
  const accepted: Notification[] = []
  const endpoint = createEndpoint(
    { accept: (notification) => void accepted.push(notification) },
    { token: 's3cret', ...options },
  )
  const answer = await endpoint({
    method: 'POST',
    path: PATH,
    headers: { 'content-type': 'application/json' },
    from: '127.0.0.1',
    body: new TextEncoder().encode(text),
    ...different,
  })
  return { ...answer, accepted }
}

test('a notification is accepted by type and id', async () => {
  const { status, accepted } = await answerTo({})

  expect([status, accepted]).toEqual([204, [{ type: 'items', id: 'i1', generation: 'webhooks', body: ITEM }]])
})

test('a flat body of a virtual account is accepted at its address', async () => {
  const text = '{"event":"status_updated","id":"v1","name":"virtual_accounts"}'

  const { accepted } = await answerTo({ text, path: '/notifications/virtual_accounts/s3cret' })

  expect(accepted).toMatchObject([{ type: 'virtual_accounts', id: 'v1' }])
})

test('a test POST is answered with success, and nothing is accepted', async () => {
  expect(await answerTo({ text: '{"message":"anything"}' })).toEqual({ status: 204, accepted: [] })
})

test.each([
  ['another token', { path: '/notifications/items/S3CRET' }, 404],
  ['no token', { path: '/notifications/items' }, 404],
  ['more than a token', { path: `${PATH}/` }, 404],
  ['another type', { path: '/notifications/toString/s3cret' }, 404],
  ['an inherited folder', { path: '/constructor/items/s3cret' }, 404],
  ['another method', { method: 'GET' }, 405],
  ['another content type', { headers: { 'content-type': 'text/plain' } }, 415],
  ['no content type', { headers: {} }, 415],
  ['a body that is too long', { body: undefined }, 413],
  ['a body that is no UTF-8', { body: Uint8Array.of(0x22, 0xff, 0x22) }, 400],
  ['a broken body', { text: '{"items":' }, 400],
  ['an empty body', { text: '' }, 400],
  ['a list', { text: '[]' }, 400],
  ['null', { text: 'null' }, 400],
  ['an unknown type of object', { text: '{"refunds":{"id":"r1"}}' }, 400],
  ['the body of another type', { text: '{"users":{"id":"u1"}}' }, 400],
  ['an id with half a character', { text: '{"items":{"id":"\\ud800"}}' }, 400],
  ['an object without an id', { text: '{"items":{"id":null}}' }, 400],
] as const)('%s is refused without a word', async (_, different, status) => {
  const answer = await answerTo(different)

  expect(answer).toEqual({ status, accepted: [], ...(status === 405 && { headers: { allow: 'POST' } }) })
})

test('whoever is not on the list of a generation is refused', async () => {
  const options = { allowed: { webhooks: ['127.0.0.1'], callbacks: ['127.0.0.2'] } }

  const statuses = [
    (await answerTo({}, options)).status,
    (await answerTo({ from: '127.0.0.2' }, options)).status,
    (await answerTo({ from: undefined }, options)).status,
    (await answerTo({ from: '127.0.0.2', path: '/callbacks/items/s3cret' }, options)).status,
  ]

  expect(statuses).toEqual([204, 403, 403, 204])
})

test('with a secret, a webhook has to be signed, and a callback has not', async () => {
  const time = String(Math.floor(Date.now() / 1_000))
  const header = `t=${time},v=${signatureOf('a secret', time, ITEM)}`
  const signed = { headers: { 'content-type': 'application/json', 'webhooks-signature': header } }
  const options = { secrets: ['another', 'a secret'] }

  const statuses = [
    (await answerTo({}, options)).status,
    (await answerTo(signed, options)).status,
    (await answerTo({ ...signed, text: `${ITEM} ` }, options)).status,
    (await answerTo({ path: '/callbacks/items/s3cret' }, options)).status,
  ]

  expect(statuses).toEqual([401, 204, 401, 204])
})
