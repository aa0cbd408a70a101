import { expect, test } from 'vitest'
import { describeShares, planContent, type ShareWish } from '../../../contracts/load/shares.ts'
import type { ReceiverOptions } from '../../../contracts/toolkit/options.ts'
import { receiverOptions } from '../support/run-options.ts'

const URL = 'https://localhost:9443/hooks'

interface Given {
  readonly urls?: ReceiverOptions['urls']
  readonly consequences?: Parameters<typeof planContent>[0]['consequences']
  readonly count?: number
}

function content(wishes: readonly ShareWish[], given: Given = {}) {
  const { urls = { webhooks: URL }, consequences = {}, count = 1_000 } = given
  const receiver = receiverOptions({ urls, callsBack: true })
  return planContent({ receiver, readings: {}, consequences }, wishes, { count, rate: 100 })
}

const mixOf = (...given: Parameters<typeof content>) => describeShares(content(...given).shares)

const cardPayin: ShareWish = { weight: 2, of: { kind: 'card-payin' } }
const items: ShareWish = { weight: 3, of: { type: 'items' } }

test('a payment in a load has the selected outcome, and has an effect only if the outcome has a consequence', () => {
  const wish: ShareWish = { weight: 1, of: { kind: 'direct-debit-payin', outcome: 'failed_direct_debit' } }

  expect(content([wish]).shares).toMatchObject([{ branch: { outcome: 'failed_direct_debit', effects: 0 } }])
  expect(mixOf([wish])).toBe('direct-debit-payin:failed_direct_debit=1')
})

test('the default mix contains, once each, the payments that the checks can judge for the receiver', () => {
  expect(mixOf([])).toContain('card-payin=1')
  expect(mixOf([], { urls: { webhooks: { disbursements: URL } } })).toBe('realtime-payout=1')
  expect(mixOf([], { urls: { webhooks: { users: URL } } })).toBe('users=1')
  expect(mixOf([], { consequences: { 'card-payin': null } })).not.toContain('card')
})

test('a receiver with only callback URLs receives callbacks', () => {
  const { generation, urls } = content([cardPayin], { urls: { callbacks: URL } })

  expect([generation, urls.url('transactions')]).toEqual(['callbacks', URL])
})

test.each<readonly [what: string, wish: ShareWish, given: Given, message: string]>([
  [
    'a type without a URL',
    { weight: 1, of: { type: 'users' } },
    { urls: { webhooks: { items: URL } } },
    'Cannot send notifications of users: your receiver has no URL for this type',
  ],
  [
    'a payment whose effect belongs to a type without a URL',
    cardPayin,
    { urls: { webhooks: { items: URL } } },
    'Cannot send notifications of card-payin: the receiver has no URL for transactions',
  ],
  [
    'a payment that the platform does not use',
    cardPayin,
    { consequences: { 'card-payin': null } },
    'your platform does not use this kind of payment',
  ],
  [
    'an unknown outcome',
    { weight: 1, of: { kind: 'direct-debit-payin', outcome: 'lost' } },
    {},
    'Cannot let direct-debit-payin end in "lost": the outcomes of direct-debit-payin are successful, invalid_account_details, failed_direct_debit',
  ],
  [
    'a payment with more notifications than the load',
    cardPayin,
    { count: 4 },
    'Cannot send card-payin: the share takes 5 notifications, but the load has only 4. Raise --rate or --for',
  ],
])('a load with invalid content is rejected: %s', (_, ...[wish, given, message]) => {
  expect(() => content([wish], given)).toThrow(message)
})

test('a load rejects a payment when its weight is too small for the payment to start once', () => {
  const wishes: readonly ShareWish[] = [{ ...items, weight: 100 }, cardPayin]

  expect(() => mixOf(wishes, { count: 30 })).toThrow(
    'Cannot send card-payin: its weight is too small for a load of 30 notifications. Raise --rate or --for',
  )
  expect(mixOf(wishes)).toBe('items=100, card-payin=2')
})
