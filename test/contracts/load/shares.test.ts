import { expect, test } from 'vitest'
import { describeShares, planContent, type ShareWish } from '../../../contracts/load/shares.ts'
import type { ReceiverOptions } from '../../../contracts/toolkit/options.ts'
import { receiverOptions } from '../support/run-options.ts'

const URL = 'https://localhost:9443/hooks'

interface Given {
  readonly urls?: ReceiverOptions['urls']
  readonly callsBack?: boolean
  readonly consequences?: Parameters<typeof planContent>[0]['consequences']
}

function content(
  wishes: readonly ShareWish[],
  { urls = { webhooks: URL }, callsBack = true, consequences = {} }: Given = {},
) {
  return planContent({ receiver: receiverOptions({ urls, callsBack }), readings: {}, consequences }, wishes)
}

const cardPayin: ShareWish = { weight: 2, of: { kind: 'card-payin' } }

test('a payment includes every notification whose object type has a receiver URL', () => {
  const { shares } = content([cardPayin, { weight: 3, of: { type: 'items' } }])

  expect(describeShares(shares)).toBe('card-payin=2, items=3')
  const [share] = shares
  expect(share?.kind === 'payment' && share.branch.parts.map(({ type }) => type)).toEqual([
    'items',
    'transactions',
    'items',
    'batch_transactions',
    'items',
  ])

  const { shares: fewer } = content([cardPayin], { urls: { webhooks: { transactions: URL } } })
  expect(fewer[0]?.kind === 'payment' && fewer[0].branch.parts.map(({ type }) => type)).toEqual([
    'transactions',
  ])
})

test('a payment has the selected outcome, and it has an effect only if the outcome has a consequence', () => {
  const { shares } = content([
    { weight: 1, of: { kind: 'direct-debit-payin', outcome: 'failed_direct_debit' } },
  ])

  expect(shares).toMatchObject([{ branch: { outcome: 'failed_direct_debit', effects: 0 } }])
  expect(describeShares(shares)).toBe('direct-debit-payin:failed_direct_debit=1')
})

test('the default mix contains each payment once if the checks can judge this payment for the receiver', () => {
  expect(describeShares(content([]).shares)).toContain('card-payin=1')
  expect(describeShares(content([], { urls: { webhooks: { disbursements: URL } } }).shares)).toBe(
    'realtime-payout=1',
  )
  expect(describeShares(content([], { urls: { webhooks: { users: URL } } }).shares)).toBe('users=1')
  expect(describeShares(content([], { consequences: { 'card-payin': null } }).shares)).not.toContain('card')
})

test('a receiver with only callback URLs receives callbacks', () => {
  const { generation, urls } = content([cardPayin], { urls: { callbacks: URL } })

  expect([generation, urls.url('transactions')]).toEqual(['callbacks', URL])
  expect(content([cardPayin]).generation).toBe('webhooks')
})

test.each<readonly [what: string, content: readonly [ShareWish, Given], message: string]>([
  [
    'a type without a URL',
    [{ weight: 1, of: { type: 'users' } }, { urls: { webhooks: { items: URL } } }],
    'Cannot notify of users: your receiver has no URL for it',
  ],
  [
    'a payment that is acted on elsewhere',
    [cardPayin, { urls: { webhooks: { items: URL } } }],
    'Cannot notify of card-payin: the receiver has no URL for transactions',
  ],
  [
    'a payment that the platform has no use for',
    [cardPayin, { consequences: { 'card-payin': null } }],
    'your platform does not use this kind of payment',
  ],
  [
    'an outcome that there is not',
    [{ weight: 1, of: { kind: 'direct-debit-payin', outcome: 'lost' } }, {}],
    'Cannot let direct-debit-payin end in "lost": the outcomes of direct-debit-payin are successful, invalid_account_details, failed_direct_debit',
  ],
])('a load with invalid content is rejected: %s', (_, [wish, given], message) => {
  expect(() => content([wish], given)).toThrow(message)
})
