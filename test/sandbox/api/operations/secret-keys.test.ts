import { expect, test } from 'vitest'
import type { Head } from '../../../../sandbox/engine/state/entries.ts'
import { BANK, NEVE } from '../../../support/platform.ts'
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

test('a secret is accepted with spaces', async () => {
  const sandbox = testSandbox()
  const secret_key = ` ${SECRET} ${SECRET} `

  expect(await sandbox.call('POST', '/webhooks/secret_key', { secret_key })).toEqual(CREATED)
  expect(sandbox.store.secrets()).toMatchObject([{ secret: secret_key }])
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
  ['a character beyond ASCII', `${SECRET}é`],
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

  expect(heads.map(({ kind }) => kind)).toEqual([
    'secret',
    'registration',
    'object',
    'object',
    'object',
    'job',
    'attempt-start',
    'attempt',
  ])
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
])(
  'every operation answers an unknown id as the reading "unknown-object" requires: %s',
  async (option, expected) => {
    const sandbox = testSandbox({ readings: { 'unknown-object': option } })
    const { body: item } = await sandbox.control('POST', '/objects/items', {})
    const calls = [
      ['GET', '/items/nothing'],
      ['GET', '/virtual_accounts/nothing'],
      ['PATCH', '/users/nothing', {}],
      ['PATCH', '/items/nothing/make_payment', { account_id: 'x' }],
      ['POST', '/wallet_accounts/nothing/withdraw', { account_id: 'x', amount: 1 }],
      ['GET', '/users/nothing/card_accounts'],
      ['GET', '/callbacks/nothing'],
      ['PATCH', '/callbacks/nothing', { enabled: false }],
      ['DELETE', '/callbacks/nothing'],
      ['GET', '/callbacks/nothing/responses'],
    ] as const

    for (const [method, path, body] of calls)
      expect([path, await sandbox.call(method, path, body)]).toEqual([path, expected])
    expect((await sandbox.call('GET', `/items/${item.id}`)).status).toBe(200)
  },
)

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

/** Creates an item for 600 that waits for a requested direct debit. */
async function waiting() {
  const sandbox = testSandbox()
  const { body: buyer } = await sandbox.call('POST', '/users', NEVE)
  const { body: seller } = await sandbox.call('POST', '/users', NEVE)
  const { body: bank } = await sandbox.call('POST', '/bank_accounts', { user_id: buyer.users.id, ...BANK })
  const { body: item } = await sandbox.call('POST', '/items', {
    name: 'Sofa',
    amount: 600,
    payment_type_id: 2,
    buyer_id: buyer.users.id,
    seller_id: seller.users.id,
  })
  const id: string = item.items.id
  const pay = () => sandbox.call('PATCH', `/items/${id}/make_payment`, { account_id: bank.bank_accounts.id })
  await pay()
  const { body: exported } = await sandbox.call('GET', '/batch_transactions/export_transactions')
  const [batch] = exported.transactions
  const simulate = (state: number) =>
    sandbox.call('PATCH', `/batches/${batch.batch_id}/transaction_states`, {
      exported_ids: [batch.id],
      state,
    })
  const bench = (state: string) =>
    sandbox.control('PATCH', `/objects/batch_transactions/${batch.id}`, { state })
  return { pay, simulate, bench, item: () => sandbox.store.object('items', id)?.body.state }
}

test('the simulation continues a debit and its item after the control API moved the debit', async () => {
  const { simulate, bench, item } = await waiting()

  await bench('bank_processing')
  await simulate(12_000)

  expect(item()).toBe('payment_deposited')
})

test('an item can be paid again after a failed direct debit', async () => {
  const { simulate, bench, item, pay } = await waiting()

  await simulate(12_700)
  await bench('failed_direct_debit')
  const required = item()
  const again = await pay()

  expect([required, again.status, item()]).toEqual(['payment_required', 200, 'payment_pending'])
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
