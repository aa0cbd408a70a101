import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { ask, askFresh, tokenOf, withoutEffect } from '../../../support/requests.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

const HOUR_MS = 3_600_000

const ANY_ITEM = '/items/8f7c1a52-3d0e-4f6b-9a41-2c5d7e8f9012'

const KEY = new Uint8Array(32)

const basic = (user: string) => `Basic ${Buffer.from(user).toString('base64')}`

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const PAYLOAD = part({ jti: 'x', iat: 1_700_000_000, exp: 9_999_999_999 })

function jwt(alg: string, key: Uint8Array): string {
  const signed = `${part({ alg })}.${PAYLOAD}`
  const hash = `sha${alg.slice(2)}`
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}

const INVALID: readonly (readonly [name: string, token: string])[] = [
  ['with an invalid format', 'garbage'],
  ['of the control API', 'bench-token'],
  ['without a signature', `${part({ alg: 'none' })}.${PAYLOAD}.`],
  ['signed with another key', jwt('HS256', new Uint8Array(32).fill(1))],
  ['signed with another algorithm', jwt('HS512', KEY)],
  ['with extra characters at its end', `${jwt('HS256', KEY)} x`],
  ['of a million characters', 'x'.repeat(1_000_000)],
]

const EMPTY: readonly (readonly [name: string, authorization: string])[] = [
  ['a request without an Authorization header', ''],
  ['an Authorization header with spaces instead of a token', 'Bearer   '],
]

test('every operation accepts a valid token', async () => {
  const authorization = `Bearer ${jwt('HS256', KEY)}`

  expect((await askFresh('/webhooks', { method: 'GET', authorization })).status).toBe(200)
  expect((await askFresh(ANY_ITEM, { method: 'GET', authorization })).status).toBe(404)
})

test.each(EMPTY)('the webhook operations respond 403 to %s', async (_, authorization) => {
  expect(await askFresh('/webhooks', { authorization, body: '{' })).toMatchObject(
    withoutEffect(403, { status: 'Forbidden', message: 'empty token' }),
  )
})

test.each(INVALID)('the webhook operations respond 403 to a token %s', async (_, token) => {
  expect(await askFresh('/webhooks', { authorization: `Bearer ${token}` })).toMatchObject(
    withoutEffect(403, { status: 'Forbidden', message: 'invalid token' }),
  )
})

test('the webhook operations respond 403 to a user with an API token', async () => {
  const authorization = basic('sandbox@example.test:sandbox-token')

  expect(await askFresh('/webhooks', { method: 'GET', authorization })).toMatchObject(
    withoutEffect(403, { status: 'Forbidden' }),
  )
})

const UNKNOWN_CALLERS: readonly (readonly [name: string, authorization: string])[] = [
  ...EMPTY,
  ...INVALID.map(([name, token]) => [`a token ${name}`, `Bearer ${token}`] as const),
  ['a wrong password', basic('sandbox@example.test:sandbox-toke')],
  ['a user without a password', basic('sandbox@example.test')],
  ['credentials that are not Base64', 'Basic %%%'],
  ['another authentication scheme', 'Digest username="sandbox@example.test"'],
]

test.each(UNKNOWN_CALLERS)('GET /items/:id responds 401 to %s', async (_, authorization) => {
  expect(await askFresh(ANY_ITEM, { method: 'GET', authorization })).toMatchObject(
    withoutEffect(401, { message: expect.any(String) }),
  )
})

test.each([basic('sandbox@example.test:sandbox-token'), 'token'])(
  'GET /items/:id accepts %s',
  async (given) => {
    const sandbox = testSandbox()
    const { body: item } = await sandbox.control('POST', '/objects/items', {})
    const authorization = given === 'token' ? `bearer ${await tokenOf(sandbox)}` : given

    expect(await ask(sandbox, `/items/${item.id}/`, { method: 'GET', authorization })).toMatchObject({
      status: 200,
      body: { items: item.object },
    })
  },
)

test.each(['used before', 'never used'])('a token that was %s expires after an hour', async (use) => {
  const sandbox = testSandbox()
  const request = { method: 'GET', authorization: `Bearer ${await tokenOf(sandbox)}` }

  sandbox.realTime.move(HOUR_MS - 1)
  if (use === 'used before') expect((await ask(sandbox, '/webhooks', request)).status).toBe(200)
  sandbox.realTime.move(1)

  expect(await ask(sandbox, '/webhooks', request)).toMatchObject(
    withoutEffect(403, { status: 'Forbidden', message: 'token expired' }),
  )
  expect(await ask(sandbox, ANY_ITEM, request)).toMatchObject(
    withoutEffect(401, { message: 'token expired' }),
  )
})

test('an access token expires in real time, not in sandbox time', async () => {
  const sandbox = testSandbox()
  const request = { method: 'GET', authorization: `Bearer ${await tokenOf(sandbox)}` }

  await sandbox.control('POST', '/clock/advance', { by: '30d' })

  expect((await ask(sandbox, '/webhooks', request)).status).toBe(200)
})

const UNKNOWN_USERS: readonly (readonly [name: string, authorization: string])[] = [
  ...EMPTY,
  ['a wrong token', 'Bearer bench-toke'],
  ['an access token of the service', `Bearer ${jwt('HS256', KEY)}`],
  ['a user with an API token', basic('sandbox@example.test:sandbox-token')],
  ['the token as a password', basic('bench:bench-token')],
]

test.each(UNKNOWN_USERS)('the control API responds 401 to %s', async (_, authorization) => {
  const reply = await askFresh('/control/objects/items', { authorization, body: '{}' })

  expect(reply).toMatchObject(
    withoutEffect(401, {
      error: { code: 'unauthorized', message: expect.any(String), hint: expect.any(String) },
    }),
  )
  expect(reply.headers.get('www-authenticate')).toBe('Bearer')
})

test('GET /control/health answers without a token', async () => {
  expect(await askFresh('/control/health', { method: 'GET', authorization: '' })).toMatchObject(
    withoutEffect(200, { status: 'ready' }),
  )
})

test('a Show response shows the present object, even if an earlier Show response was cached', async () => {
  const sandbox = testSandbox()
  const { body: item } = await sandbox.control('POST', '/objects/items', { name: 'first' })
  const show = async () => (await sandbox.call('GET', `/items/${item.id}`)).body.items?.name
  const names = [await show(), await show()]

  await sandbox.control('PATCH', `/objects/items/${item.id}`, { name: 'second' })
  names.push(await show(), await show())
  const { body: snapshot } = await sandbox.control('GET', '/snapshot')
  await sandbox.control('PATCH', `/objects/items/${item.id}`, { name: 'third' })
  names.push(await show())
  await sandbox.control('PUT', '/snapshot', snapshot)
  names.push(await show(), await show())
  await sandbox.control('POST', '/reset')
  names.push(await show())

  expect(names.join()).toBe('first,first,second,second,third,second,second,')
})

test('a cached Show response is not sent to a caller without access', async () => {
  const sandbox = testSandbox()
  const { body: item } = await sandbox.control('POST', '/objects/items', {})
  const path = `/items/${item.id}`
  const { status } = await sandbox.call('GET', path)

  const refused = await sandbox.service(new Request(`http://service.test${path}`))
  const odd = await sandbox.call('GET', `${path}?a=1&a=2`)

  expect([status, refused.status, odd.status]).toEqual([200, 401, 422])
})
