import { expect, test } from 'vitest'
import {
  isNotified,
  notificationRole,
  paymentConsequence,
  paymentKinds,
  paymentOutcomes,
  paymentParticipants,
  paymentSteps,
} from '../../spec/payments.ts'
import { readingValues } from '../../spec/readings.ts'

test.each(paymentKinds)('the consequence of %s is a notification of its usual outcome', (kind) => {
  const [usual = ''] = paymentOutcomes(kind)
  const notified = paymentSteps(kind, usual)
    .flat()
    .map((notification) => `${notificationRole(notification)} ${notification.state}`)
  const consequence = paymentConsequence(kind)

  expect(notified).toContain(`${notificationRole(consequence)} ${consequence.state}`)
})

test('paymentSteps() gives the last step the effects of the outcome', () => {
  const [last] = paymentSteps('direct-debit-payin', 'failed_direct_debit').at(-1) ?? []

  expect(last).toMatchObject({
    state: 'failed_direct_debit',
    item: { state: 'payment_required', batch_state: 'failed_direct_debit' },
  })
})

test('a disbursement in process is notified only under the reading that says so', () => {
  const [first] = paymentSteps('realtime-payout', 'successful').flat()
  const under = (option: string) =>
    first && isNotified(first, readingValues({ 'realtime-payout-sequence': option }))

  expect([under('with-processing'), under('final-only')]).toEqual([true, false])
})

test('paymentParticipants() lists an owner before its accounts', () => {
  for (const kind of paymentKinds) {
    const roles = paymentParticipants(kind).map(([role]) => role)
    for (const [role, { owner }] of paymentParticipants(kind))
      if (owner) expect([kind, roles.indexOf(owner) < roles.indexOf(role)]).toEqual([kind, true])
  }
})
