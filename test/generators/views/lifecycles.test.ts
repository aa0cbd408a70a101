import { expect, test } from 'vitest'
import { checkPayments } from '../../../generators/views/lifecycles.ts'
import type { Lifecycles } from '../../../generators/views/lifecycles.ts'
import { readYaml } from '../../../spec/document.ts'

/** The lifecycles with one value of card-payin replaced, or removed. */
function edited(path: string, value?: unknown): Lifecycles {
  const whole = readYaml<Lifecycles>('lifecycles.yaml')
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  const holder = keys.reduce<object>(
    (node, key) => Reflect.get(node, key),
    Reflect.get(whole.payments, 'card-payin'),
  )
  if (value === undefined) Reflect.deleteProperty(holder, last)
  else Reflect.set(holder, last, value)
  return whole
}

test('the payments of the spec name only what is there', () => {
  expect(() => checkPayments(readYaml('lifecycles.yaml'))).not.toThrow()
})

test.each([
  ['consequence', undefined, '"#/payments/card-payin": it says no consequence'],
  ['colour', 'red', '"#/payments/card-payin/colour": there is no such key'],
  ['participants.payid', {}, '"#/payments/card-payin/participants/payid": there is no such participant'],
  [
    'participants.seller',
    undefined,
    '"#/payments/card-payin/participants/wallet_account/owner": no seller before it',
  ],
  ['participants.card_account.owner', undefined, '"#/payments/card-payin/participants/card_account/owner"'],
  ['participants.card_account.given_by', 'card', '/card_account/given_by": a request has no card'],
  [
    'notifications.0.0.object',
    'refunds',
    '"#/payments/card-payin/notifications/0/0/object": there is no object refunds',
  ],
  ['notifications.0.0.state', 'settled', '/notifications/0/0/state": transactions has no state settled'],
  ['notifications.1.0.amount', 'gross', '/notifications/1/0/amount": it is total or net'],
  [
    'notifications.0.0.sets',
    { account_id: 'virtual_account.id' },
    '/sets/account_id": there is no virtual_account.id',
  ],
  ['notifications.1.0.wallets', { buyer_wallet: 'in' }, '/wallets/buyer_wallet": no such account takes part'],
  ['notifications.1.0.wallets', { wallet_account: '+1' }, '/wallets/wallet_account": it is in or out'],
  ['notifications.0.0.item', { state: 'paid' }, '/item/state": items have no state paid'],
  ['notifications.0.0.by_outcome', { successful: {} }, '/by_outcome/successful": it is no outcome here'],
  ['accompanying', { failed: [] }, '/accompanying/failed": it is no outcome'],
  ['consequence.type', 'refund', '"#/payments/card-payin/consequence": the payment does not notify it'],
])('a card-payin whose %s is %j is refused', (path, value, message) => {
  expect(() => checkPayments(edited(path, value))).toThrow(message)
})
