import { expect, test } from 'vitest'
import type { Head } from '../../../../sandbox/engine/state/entries.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'
import { ask } from '../../../support/requests.ts'

const SECRET = 'k3Vq8ZrT1mXw6Yp0sDf4Gh7Jb2Nc5Le9'

const CREATED = {
  status: 201,
  body: { status: 'Created', message: 'secret key created successfully' },
}

test.each(['hmac', 'off'])('a secret is accepted when the reading "signature" is %s', async (signature) => {
  const sandbox = testSandbox({ readings: { signature } })

  const answer = await sandbox.call('POST', '/webhooks/secret_key', { secret_key: SECRET })

  expect(answer).toEqual(CREATED)
})

test('the current secret cannot be set again, but an earlier secret that was replaced can', async () => {
  const sandbox = testSandbox()
  const set = (secret_key: string) => sandbox.call('POST', '/webhooks/secret_key', { secret_key })
  const other = SECRET.toLowerCase()

  const answers = [await set(SECRET), await set(SECRET), await set(other), await set(SECRET)]

  expect(answers).toEqual([
    CREATED,
    { status: 409, body: { status: 'Already exists', message: 'secret key already exists' } },
    CREATED,
    CREATED,
  ])
  expect(sandbox.store.secrets().map(({ secret }) => secret)).toEqual([SECRET, other])
})

test.each([
  ['31 characters', SECRET.slice(1)],
  ['two lines', `${SECRET}\n${SECRET}`],
  ['a non-ASCII character', `${SECRET}é`],
])('a secret with %s is rejected with a message that hides the secret', async (_, secret_key) => {
  const sandbox = testSandbox()

  const { status, body } = await sandbox.call('POST', '/webhooks/secret_key', { secret_key })

  expect([status, body.status]).toEqual([422, 'Unprocessable entity'])
  expect(body.message).toContain('Secret Key must')
  expect(body.message).not.toContain(SECRET.slice(1))
  expect(sandbox.store.length).toBe(0)
})

test('store events and jobs never contain the webhook secret', async () => {
  const sandbox = testSandbox()
  const heads: Head[] = []
  sandbox.store.subscribe((head) => heads.push(head))
  await sandbox.call('POST', '/webhooks/secret_key', { secret_key: SECRET })
  const webhook = await sandbox.register()
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()

  const { body: jobs } = await sandbox.call('GET', `/webhooks/${webhook}/jobs`)
  const detail = await sandbox.control('GET', `/jobs/${jobs.jobs[0].uuid}`)

  expect(heads.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['secret', 'job', 'attempt']))
  expect(JSON.stringify([heads, jobs, detail])).not.toContain(SECRET)
})

const NOT_FOUND = { status: 404, body: { errors: { id: ['not found'] } } }

const NOT_AUTHORIZED = {
  status: 401,
  body: { code: 405, message: 'Not authorized to access that record.' },
}

test.each([
  ['not-found', NOT_FOUND],
  ['not-authorized', NOT_AUTHORIZED],
])('every operation answers an unknown id as "unknown-object" requires: %s', async (option, expected) => {
  const sandbox = testSandbox({ readings: { 'unknown-object': option } })
  const { body: item } = await sandbox.control('POST', '/objects/items', {})
  const calls = [
    ['GET', '/items/nothing'],
    ['PATCH', '/users/nothing', {}],
    ['PATCH', '/items/nothing/make_payment', { account_id: 'x' }],
    ['POST', '/wallet_accounts/nothing/withdraw', { account_id: 'x', amount: 1 }],
    ['GET', '/callbacks/nothing'],
    ['PATCH', '/callbacks/nothing', { enabled: false }],
  ] as const

  for (const [method, path, body] of calls)
    expect([path, await sandbox.call(method, path, body)]).toEqual([path, expected])
  expect((await sandbox.call('GET', `/items/${item.id}`)).status).toBe(200)
})

test('the reading "not-authorized" does not change the responses about webhooks, fields and tokens', async () => {
  const sandbox = testSandbox({ readings: { 'unknown-object': 'not-authorized' } })
  const item = { name: 'x', amount: 1, buyer_id: 'nobody', seller_id: 'nobody' }

  const webhook = await sandbox.call('GET', '/webhooks/nothing')
  const buyer = await sandbox.call('POST', '/items', item)
  const stranger = await ask(sandbox, '/items/nothing', { method: 'GET', authorization: 'Bearer x' })
  const bench = await sandbox.control('GET', '/objects/items/nothing')

  expect([webhook.status, buyer.status, bench.status]).toEqual([404, 422, 404])
  expect(stranger).toMatchObject({ status: 401, body: { message: expect.any(String) } })
  expect(stranger.body).not.toHaveProperty('code')
})

const PATH = '/batches/1/transaction_states'

const production = () => testSandbox({ readings: { environment: 'production' } })

test.each(['{"state":12700}', '{', '{"exported_ids":["x"],"state":12700}'])(
  'the simulation answers 404 in production to %s',
  async (body) => {
    const answer = await ask(production(), PATH, { method: 'PATCH', body })

    expect(answer).toMatchObject({ status: 404, body: { status: '404', error: 'Not Found' }, errors: [] })
  },
)

test('PATCH transaction_states answers 401 in production without a token', async () => {
  expect((await ask(production(), PATH, { method: 'PATCH', authorization: '' })).status).toBe(401)
})

test('the simulation finds the transaction to move by the UUID or the number of its batch', async () => {
  const sandbox = testSandbox()
  for (const batch_id of [7, 7, 8])
    await sandbox.control('POST', '/objects/batch_transactions', { batch_id, state: 'batched' })
  const { body } = await sandbox.call('GET', '/batch_transactions/export_transactions')
  const [first, second, other] = body.transactions
  const move = (batch: string, { id }: { readonly id: string }) =>
    sandbox.call('PATCH', `/batches/${batch}/transaction_states`, { exported_ids: [id], state: 12_700 })

  const answers = [
    await move(first.batch_id.toUpperCase(), first),
    await move('7', second),
    await move(first.batch_id, other),
  ]

  const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(first).toEqual({ ...first, batch_id: uuid, status: 'batched' })
  expect([second.batch_id, other.batch_id]).toEqual([first.batch_id, uuid])
  expect(answers.map(({ body: { errors } }) => errors)).toEqual([
    [],
    [],
    [`${other.id}: not in batch ${first.batch_id}`],
  ])
})
