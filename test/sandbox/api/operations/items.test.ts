import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/test-sandbox.ts'

const NEVE = { first_name: 'Neve', last_name: 'Byrne', email: 'neve@example.test', country: 'AUS' }

/** An item of 12,500, its buyer and its seller. */
async function sale() {
  const sandbox = testSandbox()
  const { body: buyer } = await sandbox.call('POST', '/users', { ...NEVE, id: 'buyer' })
  const { body: seller } = await sandbox.call('POST', '/users', { ...NEVE, id: 'seller' })
  const item = {
    id: '9a7b2f04-51c3-4d1e-8f60-2b7c9d0e1f23',
    name: 'Oak table',
    amount: 12_500,
    buyer_id: buyer.users.id,
    seller_id: seller.users.id,
  }
  await sandbox.call('POST', '/items', item)
  const pay = (account_id: unknown) => sandbox.call('PATCH', `/items/${item.id}/make_payment`, { account_id })
  return { ...sandbox, item, pay }
}

test('an id that is taken is refused to a second user and a second item', async () => {
  const { call, item } = await sale()

  const answers = [
    await call('POST', '/users', { ...NEVE, id: 'buyer' }),
    await call('POST', '/items', { ...item, name: 'Chair' }),
  ]

  const refusal = { status: 422, body: { errors: { id: ['has already been taken'] } } }
  expect(answers).toEqual([refusal, refusal])
})

test('an item is paid from no wallet that holds less than it costs', async () => {
  const { store, pay, item } = await sale()

  expect(await pay(store.accountId('buyer', 'wallet'))).toEqual({
    status: 422,
    body: { errors: { account_id: ['holds 0, the item costs 12500'] } },
  })
  expect(store.object('items', item.id)?.body.state).toBe('pending')
})

test('an item is paid once', async () => {
  const { call, idle, pay } = await sale()
  const { body: card } = await call('POST', '/card_accounts', {
    user_id: 'buyer',
    full_name: 'Neve Byrne',
    number: '4111111111111111',
    expiry_month: '12',
    expiry_year: '2030',
    cvv: '123',
  })

  const paid = await pay(card.card_accounts.id)
  await idle()
  const again = await pay(card.card_accounts.id)

  expect([paid.status, again.status, again.body]).toEqual([
    200,
    422,
    { errors: { state: ['is completed: it cannot be paid'] } },
  ])
})

test('a price below the fees of the seller is refused', async () => {
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
