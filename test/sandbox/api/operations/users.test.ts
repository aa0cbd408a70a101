import { expect, test } from 'vitest'
import { BANK, CARD, NEVE } from '../../../support/platform.ts'
import { ask, withoutEffect } from '../../../support/requests.ts'
import { RECEIVER, testSandbox } from '../../../support/test-sandbox.ts'

const ITEM = { name: 'x', amount: 1, buyer_id: 'a', seller_id: 'b' }

test.each([
  ['/users', NEVE],
  ['/items', ITEM],
])('POST %s rejects an id that is not a path segment', async (path, fields) => {
  const answer = await ask(testSandbox(), path, { body: JSON.stringify({ id: 'a/b', ...fields }) })

  expect(answer).toMatchObject(
    withoutEffect(422, { errors: { id: [expect.stringContaining('Id "a/b" must match')] } }),
  )
})

test.each(['a"b', '","verification_state":"approved","x":"', "$&$'$`", 'a=b&c', '{}', '~!@'])(
  'a user keeps exactly the given id %s',
  async (id) => {
    const sandbox = testSandbox()

    const made = await sandbox.call('POST', '/users', { ...NEVE, id })
    const shown = await sandbox.call('GET', `/users/${encodeURIComponent(id)}`)

    expect([made.status, made.body.users.id, made.body.users.verification_state]).toEqual([
      201,
      id,
      'pending',
    ])
    expect([shown.body, sandbox.errors]).toEqual([made.body, []])
  },
)

test.each([
  ['123', 'XXX'],
  ['1234', 'X234'],
])('the account number %s is masked as %s', async (account_number, masked) => {
  const service = testSandbox()
  const { body: created } = await service.call('POST', '/users', NEVE)

  const { body } = await service.call('POST', '/bank_accounts', {
    ...BANK,
    user_id: created.users.id,
    account_number,
  })

  expect(body.bank_accounts.bank.account_number).toBe(masked)
})

const UNKNOWN = { status: 404, body: { errors: { id: ['not found'] } } }

test('GET /users/:id/wallet_accounts shows the wallet, and other calls find the wallet by its id', async () => {
  const sandbox = testSandbox()
  const { users: user } = (await sandbox.call('POST', '/users', NEVE)).body

  const { status, body } = await sandbox.call('GET', `/users/${user.id}/wallet_accounts`)
  const { id } = body.wallet_accounts
  const payment = await sandbox.call('POST', `/wallet_accounts/${id}/bill_payment`, {
    account_id: 'x',
    amount: 1,
  })

  expect([status, body.wallet_accounts]).toMatchObject([
    200,
    { active: true, balance: 0, currency: 'AUD', links: { self: `/wallet_accounts/${id}` } },
  ])
  expect(payment.body).toEqual({ errors: { amount: ['is more than the wallet balance of 0'] } })
  expect((await sandbox.call('GET', `/accounts/${id}`)).body.accounts).toMatchObject({
    uuid: id,
    account_type_id: 9700,
  })
})

test.each([
  ['bank_accounts', BANK],
  ['card_accounts', CARD],
])('GET /users/:id/%s shows only the newest account', async (collection, fields) => {
  const sandbox = testSandbox()
  const { users: user } = (await sandbox.call('POST', '/users', NEVE)).body
  const none = await sandbox.call('GET', `/users/${user.id}/${collection}`)
  const create = () =>
    sandbox.call('POST', `/${collection}`, { user_id: user.id, currency: 'NZD', ...fields })
  const [first, second] = [await create(), await create()]

  const shown = await sandbox.call('GET', `/users/${user.id}/${collection}`)

  expect(none).toEqual(UNKNOWN)
  expect(shown).toEqual({ status: 200, body: second.body })
  expect(shown.body).not.toEqual(first.body)
})

test.each([
  ['bank_accounts', BANK],
  ['card_accounts', CARD],
  ['wallet_accounts', undefined],
])('links.self leads to the %s, and the ID of another kind of account is not found', async (...row) => {
  const [collection, fields] = row
  const sandbox = testSandbox()
  const { users: user } = (await sandbox.call('POST', '/users', NEVE)).body
  if (fields) await sandbox.call('POST', `/${collection}`, { user_id: user.id, ...fields })
  const listed = await sandbox.call('GET', `/users/${user.id}/${collection}`)
  const { id, links } = listed.body[collection]
  const { body: other } = await sandbox.control('POST', '/objects/accounts', { account_type_id: 9999 })
  const { body: numbered } = await sandbox.call('GET', `/accounts/${id}`)

  expect(await sandbox.call('GET', links.self)).toEqual(listed)
  expect(await sandbox.call('GET', `/${collection}/${numbered.accounts.id}`)).toEqual(listed)
  expect(await sandbox.call('GET', `/${collection}/${other.id}`)).toEqual(UNKNOWN)
})

test.each([
  ['card-payin', 'buyer', 'card_accounts', { card: { type: 'visa' } }],
  ['card-payin', 'seller', 'wallet_accounts', { balance: 4_200 }],
] as const)('the account that %s creates for the %s is shown in the collection %s', async (...row) => {
  const [kind, role, collection, expected] = row
  const sandbox = testSandbox()
  await sandbox.control('POST', '/payments', { kind, amount: 4_200, pace: 'instant' })
  await sandbox.idle()
  const payment = sandbox.store.paymentAt(0)

  const { status, body } = await sandbox.call('GET', `/users/${payment?.participants[role]}/${collection}`)

  expect([status, body[collection]]).toMatchObject([200, expected])
})

test('a user shows the newest account even after an older account changes', async () => {
  const sandbox = testSandbox()
  const { users: user } = (await sandbox.call('POST', '/users', NEVE)).body
  const create = () => sandbox.call('POST', '/bank_accounts', { user_id: user.id, ...BANK })
  const { bank_accounts: first } = (await create()).body
  const { bank_accounts: second } = (await create()).body
  const shown = async () => (await sandbox.call('GET', `/users/${user.id}/bank_accounts`)).body.bank_accounts

  await sandbox.control('PATCH', `/objects/accounts/${first.id}`, { enabled: false })
  const afterFirst = await shown()
  await sandbox.control('PATCH', `/objects/accounts/${second.id}`, { enabled: false })
  const afterSecond = await shown()

  expect(afterFirst).toMatchObject({ id: second.id, active: true })
  expect(afterSecond).toMatchObject({ id: second.id, active: false })
})

const meta = (offset: number, total: number) => ({ limit: 10, offset, total })

test.each([
  ['omitted', {}, {}],
  ['empty', { callbacks: [] }, { callback_responses: [] }],
])('the reading "empty-lists" %s applies to empty lists of callbacks', async (option, none, noResponses) => {
  const sandbox = testSandbox({ readings: { 'empty-lists': option } })
  const links = { self: '/callbacks' }

  const before = await sandbox.call('GET', '/callbacks')
  const { body } = await sandbox.call('POST', '/callbacks', { url: RECEIVER, object_type: 'items' })
  const { callbacks: callback } = body
  const beyond = await sandbox.call('GET', '/callbacks?offset=1')
  const responses = await sandbox.call('GET', `/callbacks/${callback.id}/responses`)

  expect(before).toEqual({ status: 200, body: { ...none, meta: meta(0, 0), links } })
  expect(beyond).toEqual({ status: 200, body: { ...none, meta: meta(1, 1), links } })
  expect(responses).toEqual({
    status: 200,
    body: {
      ...noResponses,
      meta: meta(0, 0),
      links: { self: `/callbacks/${callback.id}/responses`, callbacks: `/callbacks/${callback.id}` },
    },
  })
  expect((await sandbox.call('GET', '/callbacks')).body.callbacks).toEqual([callback])
})

test('webhooks and jobs have an empty list when the reading omits empty lists', async () => {
  const sandbox = testSandbox({ readings: { 'empty-lists': 'omitted' } })

  const webhooks = await sandbox.call('GET', '/webhooks')
  const jobs = await sandbox.call('GET', `/webhooks/${await sandbox.register()}/jobs`)

  expect([webhooks.body.webhooks, jobs.body.jobs]).toEqual([[], []])
})
