import { expect, test } from 'vitest'
import { formatDryPayment, listPaymentNotifications } from '../../../sandbox/cli/payment-notifications.ts'

test('a payment that is not played lists what it would notify by numbers', () => {
  const text = formatDryPayment(listPaymentNotifications({ kind: 'realtime-payout', outcome: 'cancelled' }))

  expect(text.split('\n')).toEqual([
    'realtime-payout to cancelled notifies, in this order:',
    expect.stringMatching(/^NUMBER +STEP +OBJECT +STATE$/),
    expect.stringMatching(
      /^1 +1 +disbursements +bank_processing +only with realtime-payout-sequence=with-processing$/,
    ),
    expect.stringMatching(/^2 +2 +disbursements +cancelled$/),
    'In another order: npx hookbench rehearse realtime-payout --outcome cancelled --order 2,1',
  ])
})

test('a payment with its usual outcome is rehearsed without naming it', () => {
  const text = formatDryPayment(listPaymentNotifications({ kind: 'card-payin' }))

  expect(text).toContain('npx hookbench rehearse card-payin --order')
})

test.each([
  [{ kind: 'card-payn' }, 'did you mean "card-payin"?'],
  [{ kind: 'bpay-payout', outcome: 'x' }, 'it ends successful or invalid_account_details'],
])('%j is refused with the remedy', (given, remedy) => {
  expect(() => listPaymentNotifications(given)).toThrow(remedy)
})
