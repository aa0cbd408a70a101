import { expect, test } from 'vitest'
import { createShop, shopUrl, type SHOP_TYPES } from '../../../sandbox/cli/demo-shop.ts'

type ShopType = (typeof SHOP_TYPES)[number]

function openShop() {
  const { answer } = createShop()
  return {
    notify: (type: ShopType, object: object) =>
      answer({ method: 'POST', path: shopUrl('', type), body: JSON.stringify({ [type]: object }) }).status,
    post: (path: string, body: string) => answer({ method: 'POST', path, body }).status,
    look: (type: string, id: string) => answer({ method: 'GET', path: `/effects/${type}/${id}`, body: '' }),
  }
}

const PAID = { id: 't1', type: 'payment', state: 'successful' }

test('the shop ships once for each time that it is told of a success', () => {
  const shop = openShop()

  const before = shop.look('transactions', 't1')
  const answers = [shop.notify('transactions', PAID), shop.notify('transactions', PAID)]

  expect(before).toEqual({ status: 200, json: { effects: 0, state: null } })
  expect(answers).toEqual([204, 204])
  expect(shop.look('transactions', 't1').json).toEqual({ effects: 2, state: 'successful' })
})

test('the shop ships for nothing but a payment that was successful', () => {
  const shop = openShop()

  shop.notify('transactions', { ...PAID, state: 'pending' })
  shop.notify('transactions', { ...PAID, id: 't2', type: 'refund' })
  shop.notify('batch_transactions', PAID)
  shop.notify('items', { id: 'i1', state: 'completed' })

  expect(
    [
      ['transactions', 't1'],
      ['transactions', 't2'],
      ['batch_transactions', 't1'],
      ['items', 'i1'],
    ].map(([type = '', id = '']) => shop.look(type, id).json),
  ).toEqual([
    { effects: 0, state: 'pending' },
    { effects: 0, state: 'successful' },
    { effects: 0, state: 'successful' },
    { effects: 0, state: 'completed' },
  ])
})

test('the shop fails twice at a deposited payment, and knows nothing of it until it takes it', () => {
  const shop = openShop()
  const deposited = { id: 'i1', state: 'payment_deposited' }

  const failed = [shop.notify('items', deposited), shop.notify('items', deposited)]
  const between = shop.look('items', 'i1')

  expect([failed, between.json]).toEqual([[503, 503], { effects: 0, state: null }])
  expect([shop.notify('items', deposited), shop.look('items', 'i1').json]).toEqual([
    204,
    { effects: 0, state: 'payment_deposited' },
  ])
})

test('the shop takes a test message, and answers 404 at any other address', () => {
  const shop = openShop()

  expect([
    shop.post(shopUrl('', 'items'), '{"key":"value"}'),
    shop.post(shopUrl('', 'items'), 'not JSON'),
    shop.post('/notifications/items/guessed', '{}'),
    shop.post(shopUrl('', 'users'), '{}'),
    shop.look('invoices', 'i1').status,
  ]).toEqual([204, 204, 404, 404, 404])
})
