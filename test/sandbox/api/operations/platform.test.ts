import { expect, test } from 'vitest'
import { BANK, CARD, NEVE, platform, sale } from '../../../support/platform.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

test('a notification is sent when a user is created or changed and when an item is created', async () => {
  const service = await platform()

  const { buyer, item } = await sale(service)
  const verified = await service.ok('PATCH', `/users/${buyer.id}/identity_verified`)
  const renamed = await service.ok('PATCH', `/users/${buyer.id}`, { last_name: 'Quinn' })

  expect(buyer).toMatchObject({
    id: 'buyer-7.a@x',
    full_name: 'Neve Byrne',
    dob: 'encrypted',
    verification_state: 'pending',
  })
  expect(item).toMatchObject({
    buyer_name: 'Neve Byrne',
    seller_name: 'Samuel Seed',
    related: { buyers: 'buyer-7.a@x' },
  })
  expect([verified.users.verification_state, renamed.users.full_name]).toEqual(['approved', 'Neve Quinn'])
  expect(service.posted()).toEqual([
    'users',
    'accounts',
    'users',
    'accounts',
    'items pending',
    'users',
    'users',
  ])
})

test('an item is settled and becomes completed after a card payment', async () => {
  const service = await platform()
  const { buyer, item } = await sale(service)
  const { card_accounts: card } = await service.ok('POST', '/card_accounts', { user_id: buyer.id, ...CARD })
  const before = service.posted().length

  const { items } = await service.ok('PATCH', `/items/${item.id}/make_payment`, { account_id: card.id })

  expect(items.state).toEqual('payment_deposited')
  expect(card.card).toMatchObject({ type: 'visa', number: 'XXXXXXXXXXXXX111' })
  expect(service.posted().slice(before).toSorted()).toEqual([
    'batch_transactions successful',
    'items completed',
    'items payment_deposited',
    'transactions successful',
  ])
  expect((await service.ok('GET', `/items/${item.id}`)).items.state).toBe('completed')
})

test.each(['seller', 'stranger'])('make_payment is rejected with an account of the %s', async (whose) => {
  const service = await platform()
  const { seller, item } = await sale(service)
  const { users: stranger } = await service.ok('POST', '/users', NEVE)
  const user_id = whose === 'seller' ? seller.id : stranger.id
  const { card_accounts: card } = await service.ok('POST', '/card_accounts', { user_id, ...CARD })
  const { bank_accounts: bank } = await service.ok('POST', '/bank_accounts', { user_id, ...BANK })
  const { wallet_accounts: wallet } = await service.ok('GET', `/users/${user_id}/wallet_accounts`)
  const before = service.store.length

  for (const { id } of [card, bank, wallet])
    expect(await service.call('PATCH', `/items/${item.id}/make_payment`, { account_id: id })).toEqual({
      status: 422,
      body: { errors: { account_id: ['does not belong to the buyer of the item'] } },
    })
  expect(service.store.length).toBe(before)
})

test('the simulation moves a direct debit through its states', async () => {
  const service = await platform()
  const { buyer, item } = await sale(service)
  const { bank_accounts: bank } = await service.ok('POST', '/bank_accounts', { user_id: buyer.id, ...BANK })
  await service.ok('PATCH', `/items/${item.id}/make_payment`, { account_id: bank.id })

  const { transactions } = await service.ok('GET', '/batch_transactions/export_transactions')
  const [{ id, batch_id, status }] = transactions
  const move = (state: number) =>
    service.ok('PATCH', `/batches/${batch_id}/transaction_states`, { exported_ids: [id], state })
  const early = await move(12000)
  const processing = await move(12700)
  const paid = await move(12000)

  expect([transactions.length, status, early.errors, processing.errors, paid.errors]).toEqual([
    1,
    'batched',
    [`${id}: batched cannot change to successful`],
    [],
    [],
  ])
  expect((await service.ok('GET', `/batch_transactions/${id}`)).batch_transactions).toMatchObject({
    state: 'successful',
    status: 12000,
    account_id: bank.id,
    related: { account_to: { id: item.id, account_type: 'item' } },
  })
  expect((await service.ok('GET', `/items/${item.id}`)).items.state).toBe('payment_deposited')
  expect(service.posted().filter((line) => line.startsWith('batch'))).toEqual([
    'batch_transactions batched',
    'batch_transactions bank_processing',
    'batch_transactions successful',
  ])
})

test('a virtual account is created as pending and becomes active with the next payment step', async () => {
  const service = await platform()
  const { users: user } = await service.ok('POST', '/users', NEVE)
  const wallet = service.store.accountId(user.id, 'wallet')

  const created = await service.call('POST', `/wallet_accounts/${wallet}/virtual_accounts`, {
    account_name: 'Neve',
    aka_names: ['N'],
  })
  const payment = service.store.paymentAt(0)
  await service.perform('takePaymentStep', { path: { id: payment?.id ?? '' }, query: {}, body: undefined })
  await service.idle()

  expect([created.status, created.body]).toMatchObject([
    202,
    { status: 'pending_activation', aka_names: ['N'], wallet_account_id: wallet, user_external_id: user.id },
  ])
  expect((await service.ok('GET', `/virtual_accounts/${created.body.id}`)).status).toBe('active')
  expect(JSON.parse(Buffer.from(service.transport.messages.at(-1)?.body ?? []).toString())).toMatchObject({
    event: 'status_updated',
    id: created.body.id,
  })
})

test.each([
  ['POST', '/users', { first_name: 'Neve', email: 'neve@example.test', country: 'AUS' }, 'last_name'],
  ['POST', '/items', { name: 'x', amount: 1, buyer_id: 'nobody', seller_id: 'nobody' }, 'buyer_id'],
  ['POST', '/items', { name: 'x', amount: '1.5', buyer_id: 'a', seller_id: 'b' }, 'amount'],
])('%s %s with %j is rejected, and the error names the field %s', async (...row) => {
  const [method, path, body, field] = row
  const service = await platform()
  const before = service.store.length

  const answer = await service.call(method, path, body)

  expect([answer.status, service.store.length - before]).toEqual([422, 0])
  expect(Object.keys(answer.body.errors)).toEqual([field])
})

test('a duplicate ID is rejected for a second user and a second item', async () => {
  const service = await platform()
  const { buyer, seller, item } = await sale(service)
  const chair = { id: item.id, name: 'Chair', amount: 1, buyer_id: buyer.id, seller_id: seller.id }

  const answers = [
    await service.call('POST', '/users', { ...NEVE, id: buyer.id }),
    await service.call('POST', '/items', chair),
  ]

  const refusal = { status: 422, body: { errors: { id: ['has already been taken'] } } }
  expect(answers).toEqual([refusal, refusal])
})

test('a wallet with insufficient funds cannot pay an item', async () => {
  const service = await platform()
  const { buyer, item } = await sale(service)
  const account_id = service.store.accountId(buyer.id, 'wallet')

  expect(await service.call('PATCH', `/items/${item.id}/make_payment`, { account_id })).toEqual({
    status: 422,
    body: { errors: { account_id: ['holds 0, but the item costs 12500'] } },
  })
  expect(service.store.object('items', item.id)?.body.state).toBe('pending')
})

test('an item cannot be paid twice', async () => {
  const service = await platform()
  const { buyer, item } = await sale(service)
  const { card_accounts: card } = await service.ok('POST', '/card_accounts', { user_id: buyer.id, ...CARD })
  const pay = () => service.call('PATCH', `/items/${item.id}/make_payment`, { account_id: card.id })

  const paid = await pay()
  await service.idle()
  const again = await pay()

  expect([paid.status, again.status]).toEqual([200, 422])
  expect(again.body).toEqual({ errors: { state: ['is completed: it cannot be paid'] } })
})

test('an item rejects a price below the seller fees', async () => {
  const { call, control, store, errors } = testSandbox()
  const { body } = await control('POST', '/objects/items', { amount: 5_000, seller_fees: 900 })

  const answers = [
    await call('PATCH', `/items/${body.id}`, { amount: 899 }),
    await call('PATCH', `/items/${body.id}`, { amount: 900 }),
  ]

  expect(answers).toMatchObject([
    { status: 422, body: { errors: { amount: ["is 899, which is less than the seller's fees of 900"] } } },
    { status: 200, body: { items: { amount: 900, net_amount: 0 } } },
  ])
  expect([store.object('items', body.id)?.revision, errors]).toEqual([2, []])
})
