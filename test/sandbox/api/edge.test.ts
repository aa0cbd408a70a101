import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { BANK, NEVE } from '../../support/platform.ts'
import { START, testSandbox } from '../../support/test-sandbox.ts'
import { withDashboard } from '../../../sandbox/api/http/dashboard-pages.ts'
import { toFetchHandler } from '../../../sandbox/api/http/fetch-handler.ts'
import { jsonResponse } from '../../../sandbox/engine/core/http.ts'

const vocabulary = { extwallet: 'paylane', request_response: 'request_responses', legacy: 'oldpay' }

test('the service uses the vocabulary in responses, notifications and records', async () => {
  const sandbox = testSandbox({ vocabulary })
  const uuid = await sandbox.register()
  const created = await sandbox.control('POST', '/objects/items', { extwallet_fee: 7 })
  await sandbox.idle()
  sandbox.realTime.move(1_000)

  const shown = await sandbox.call('GET', `/items/${created.body.id}`)
  const jobs = await sandbox.call('GET', `/webhooks/${uuid}/jobs`)

  const sent = Buffer.from(sandbox.transport.messages[1]?.body ?? [])
  expect(shown.body.items).toMatchObject({ paylane_fee: 7, oldpay_fee: 0 })
  expect(JSON.parse(sent.toString())).toEqual(shown.body)
  expect(jobs.body.jobs[0]).toMatchObject({
    hashed_payload: createHash('sha256').update(sent).digest('hex'),
    payload: shown.body,
    request_responses: [{ response_code: 200 }],
  })
  expect(created.body.object.extwallet_fee).toBe(7)
})

test('the service accepts vocabulary words in queries and does not change ids and names', async () => {
  const sandbox = testSandbox({ vocabulary: { object_type: 'kind', partner: 'acme' } })
  const url = encodeURIComponent('https://localhost:9443/notifications/users/3f9c1d2ab47e8051')

  const webhook = await sandbox.call('POST', `/webhooks?url=${url}&kind=users`)
  const user = await sandbox.call('POST', '/users', { ...NEVE, id: 'partner' })
  const parties = { buyer_id: 'partner', seller_id: 'partner' }
  const item = await sandbox.call('POST', '/items', { name: 'partner', amount: 1, ...parties })

  expect([webhook.status, webhook.body.kind]).toEqual([201, 'users'])
  expect(user.body.users.links.self).toBe('/users/partner')
  expect(item.body.items.name).toBe('partner')
})

test('earlier-generation callbacks for bank accounts contain the bank account object', async () => {
  const sandbox = testSandbox({ readings: { 'callback-list': 'earlier' } })
  const url = 'https://localhost:9443/callbacks/bank_accounts/3f9c1d2ab47e8051'
  await sandbox.call('POST', '/callbacks', { url, object_type: 'bank_accounts' })
  const { body: user } = await sandbox.call('POST', '/users', NEVE)
  const { body: made } = await sandbox.call('POST', '/bank_accounts', { user_id: user.users.id, ...BANK })

  await sandbox.control('PATCH', `/objects/accounts/${made.bank_accounts.id}`, { enabled: false })
  await sandbox.idle()

  const [, ...sent] = sandbox.transport.messages.map(({ body }) => JSON.parse(Buffer.from(body).toString()))
  const responses = await sandbox.call(
    'GET',
    `/callbacks/${sandbox.store.registrations('callbacks')[0]?.id}/responses`,
  )
  const updated_at = new Date(START + 2).toISOString()
  expect(sent).toEqual([{ bank_accounts: { ...made.bank_accounts, active: false, updated_at } }])
  expect(responses.body.callback_responses).toMatchObject([{ payload: sent[0], response_code: 200 }])
})

const FILES = new Map([
  ['index.html', '<!doctype html>'],
  ['assets/index-BGGjR-a_.js', 'run()'],
  ['secret.js', 'no'],
])

const api = async () => jsonResponse(404, '{"error":{}}')

function call(path: string, method = 'GET', files = FILES): Promise<Response> {
  const handle = toFetchHandler(withDashboard(api, (name) => files.get(name)))
  return handle(new Request(`http://127.0.0.1:4011${path}`, { method }))
}

test.each([
  ['/', 'text/html; charset=utf-8', 'no-store'],
  ['/assets/index-BGGjR-a_.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
])('the dashboard file %s is served as %s with the caching header %s', async (path, type, caching) => {
  const { status, headers } = await call(path)

  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, type, caching])
})

test.each(['/', '/assets/index-BGGjR-a_.js'])('the file %s forbids cross-origin content', async (path) => {
  const { headers } = await call(path)

  expect(Object.fromEntries(headers)).toMatchObject({
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  })
})

test('a HEAD request gets the same response headers as a GET request', async () => {
  const response = await call('/', 'HEAD')

  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    200,
    'text/html; charset=utf-8',
    '',
  ])
})

test.each([
  ['a missing file', '/assets/index-00000000.js', 'GET'],
  ['a file outside the assets', '/secret.js', 'GET'],
  ['a path with an escaped slash', '/assets/..%2fsecret-BGGjR-a_.js', 'GET'],
  ['a request with another method', '/', 'POST'],
  ['a path of the control API', '/control/health', 'GET'],
])('the page server passes %s to the control API', async (_, path, method) => {
  const { status, headers } = await call(path, method)

  expect([status, headers.get('content-type')]).toEqual([404, 'application/json'])
})

test('the page server names the build command when the dashboard is not built', async () => {
  const response = await call('/', 'GET', new Map())

  expect(response.status).toBe(503)
  expect(await response.text()).toContain('npm run dashboard')
})
