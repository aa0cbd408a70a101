import { expect, test } from 'vitest'
import type { RequestRecord } from '../../../../spec/generated/control-types.ts'
import { START, testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'

async function listed(sandbox: TestSandbox, query = ''): Promise<readonly RequestRecord[]> {
  const { status, body } = await sandbox.control('GET', `/requests?${query}`)
  expect([status, sandbox.errors]).toEqual([200, []])
  return body.requests
}

function asked(sandbox: TestSandbox, path: string, init: RequestInit = {}) {
  return sandbox.service(new Request(`http://service.test${path}`, init))
}

test('a call is recorded with its caller, its object and its status', async () => {
  const sandbox = testSandbox()
  const { body } = await sandbox.control('POST', '/objects/items', {})
  await sandbox.control('POST', '/clock/advance', { by: '1m' })

  await sandbox.call('GET', `/items/${body.id}`)
  const requests = await listed(sandbox)

  expect(requests).toMatchObject([
    { id: 1, operation: 'createToken', by: null, status: 200 },
    {
      id: 2,
      at: new Date(START + 60_000).toISOString(),
      operation: 'showItem',
      object_type: 'items',
      object_id: body.id,
      kept_id: body.id,
      by: 'sandbox',
      status: 200,
    },
  ])
})

test('a call with an API token is recorded with the e-mail address of the caller', async () => {
  const sandbox = testSandbox()
  const { email, api_token } = sandbox.context.credentials
  const basic = `Basic ${Buffer.from(`${email}:${api_token}`).toString('base64')}`

  await asked(sandbox, '/callbacks', { headers: { authorization: basic, 'user-agent': 'a-platform/2' } })

  expect(await listed(sandbox)).toMatchObject([{ by: email, user_agent: 'a-platform/2', status: 200 }])
})

test.each([
  ['Bearer forged', '/items/x', 401],
  ['', '/items/x', 401],
])('a call with authorization %s to %s is recorded without a caller', async (authorization, path, status) => {
  const sandbox = testSandbox()

  await asked(sandbox, path, { headers: { authorization } })

  expect(await listed(sandbox)).toMatchObject([{ by: null, status }])
})

test('a call is recorded without the secrets in its query', async () => {
  const sandbox = testSandbox()
  const query =
    'grant_type=client_credentials&client_id=sandbox&client_secret=sandbox-secret&API_Token=t&Password=p'

  await asked(sandbox, `/tokens?${query}`, { method: 'POST' })
  const [request] = await listed(sandbox)

  const parameters = new URL(`http://x${request?.path}`).searchParams
  expect(Object.fromEntries(parameters)).toEqual({
    grant_type: 'client_credentials',
    client_id: 'sandbox',
    client_secret: '***',
    API_Token: '***',
    Password: '***',
  })
})

test('a call to an unknown route is recorded without an operation', async () => {
  const sandbox = testSandbox()

  await asked(sandbox, '/nope?x=1', { method: 'PUT', body: '{}' })

  expect(await listed(sandbox)).toMatchObject([
    { method: 'PUT', path: '/nope?x=1', operation: null, object_type: null, object_id: null, status: 404 },
  ])
})

test('a call to the control API is not recorded', async () => {
  const sandbox = testSandbox()
  await sandbox.control('POST', '/objects/items', {})

  expect(await listed(sandbox)).toEqual([])
})

test('GET /requests filters calls by object type and by operation', async () => {
  const sandbox = testSandbox()
  await sandbox.call('GET', '/items/a')
  await sandbox.call('GET', '/users/b')
  await sandbox.call('GET', '/webhooks')

  const found = await Promise.all(
    ['object_type=users', 'operation=showItem', 'operation=listWebhooks', 'operation=createItem'].map(
      (query) => listed(sandbox, query),
    ),
  )

  expect(found.map((requests) => requests.map(({ path }) => path))).toEqual([
    ['/users/b'],
    ['/items/a'],
    ['/webhooks'],
    [],
  ])
})

test.each([
  ['operation=showItems', 'operation', 'did you mean "showItem"?'],
  ['status=200', 'status', undefined],
])('GET /requests rejects %s', async (query, field, hint) => {
  const { status, body } = await testSandbox().control('GET', `/requests?${query}`)

  expect([status, body.error.field, body.error.hint]).toEqual([422, field, hint])
})

test('a call in flight is recorded without a status', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = testSandbox({ script: () => answer.promise })
  const registering = sandbox.register()
  await expect.poll(() => sandbox.transport.messages.length).toBe(1)

  const before = await listed(sandbox, 'operation=createWebhook')
  sandbox.realTime.move(70)
  answer.resolve(200)
  await registering

  const after = await listed(sandbox, 'operation=createWebhook')
  expect([...before, ...after]).toMatchObject([
    { by: 'sandbox', status: null, took_ms: null },
    { by: 'sandbox', status: 201, took_ms: 70 },
  ])
})

test('a call is recorded with its faults in order', async () => {
  const sandbox = testSandbox()
  const faults = await Promise.all(
    ['rate-limit', 'reset'].map((kind) => sandbox.control('POST', '/faults', { on: 'api', kind, times: 1 })),
  )

  await asked(sandbox, '/items/x')
  await asked(sandbox, '/items/y')

  expect(await listed(sandbox)).toMatchObject([
    { status: null, by: null, faults: faults.map(({ body: { id, kind } }) => ({ id, kind })) },
    { status: 401, faults: [] },
  ])
})
