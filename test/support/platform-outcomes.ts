import { FUNDS, PRICE } from './platform-payments.ts'
import type { Received } from './walk.ts'

const payout = (outcome: string) => ({ wallet: outcome === 'successful' ? FUNDS - PRICE : FUNDS })

/** What §6.2 and §3 list for each outcome of a payment that a platform makes, and what becomes of its money. */
export const PLATFORM_OUTCOMES = [
  [
    'card-payin',
    'successful',
    [
      'transactions payment credit_card successful',
      'batch_transactions payment_funding credit_card successful',
    ],
    { item: 'completed', wallet: FUNDS + PRICE },
  ],
  ...[
    ['successful', 'payment_deposited'],
    ['invalid_account_details', 'payment_required'],
    ['failed_direct_debit', 'payment_required'],
  ].map(
    ([outcome = '', item = '']) =>
      [
        'direct-debit-payin',
        outcome,
        ['batched', 'bank_processing', outcome].map(
          (state) => `batch_transactions payment direct_debit ${state}`,
        ),
        { item, wallet: FUNDS },
      ] as const,
  ),
  [
    'wallet-to-item-transfer',
    'successful',
    ['transactions payment wallet_account_transfer successful'],
    { item: 'payment_deposited', wallet: FUNDS },
  ],
  ...['successful', 'invalid_account_details'].flatMap((outcome) => [
    [
      'direct-credit-payout',
      outcome,
      ['batched', 'bank_processing', outcome].map(
        (state) => `batch_transactions disbursement direct_credit ${state}`,
      ),
      payout(outcome),
    ] as const,
    [
      'bpay-payout',
      outcome,
      ['bank_processing', outcome].map((state) => `batch_transactions disbursement bpay ${state}`),
      payout(outcome),
    ] as const,
  ]),
  ...['successful', 'cancelled'].map(
    (outcome) =>
      [
        'realtime-payout',
        outcome,
        ['disbursements bank_processing', `disbursements ${outcome}`],
        payout(outcome),
      ] as const,
  ),
  ...['active', 'activation_failed'].map(
    (outcome) =>
      [
        'virtual-account-activation',
        outcome,
        ['virtual_accounts status_updated'],
        { wallet: FUNDS },
      ] as const,
  ),
] as const

/** What arrived beside items, users and accounts. */
function line({ object_type, body }: Received): string {
  const { type, type_method, state, event } = body[object_type] ?? body
  return [object_type, type, type_method, state ?? event].filter(Boolean).join(' ')
}

const SECONDARY = new Set(['items', 'users', 'accounts'])

/** A line for each notification but those of items, users and accounts. */
export function arrivedLines(received: readonly Received[]): readonly string[] {
  return received.filter(({ object_type }) => !SECONDARY.has(object_type)).map(line)
}
