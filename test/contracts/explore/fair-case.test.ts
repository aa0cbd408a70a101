import { expect, test } from 'vitest'
import { isFair } from '../../../contracts/explore/fair-case.ts'
import type { DeliveryPlan, ExploredCase } from '../../../contracts/explored-case.ts'
import { selectBranches } from '../../../contracts/toolkit/branches.ts'
import type { PaymentKind } from '../../../spec/payments.ts'
import { careful } from '../support/careful.ts'
import { fakeContext } from '../support/fake-context.ts'

const { branches } = selectBranches(await fakeContext({ receive: careful }), 'all')

const caseOf = (kind: PaymentKind, ...deliveries: readonly Omit<DeliveryPlan, 'of'>[]): ExploredCase => ({
  people: [],
  payments: [{ kind, outcome: 'successful' }],
  deliveries: deliveries.map((delivery) => ({ of: 0, ...delivery })),
})

test('isFair() holds for a case that sends each part', () => {
  expect(isFair(caseOf('bpay-payin', { part: 0 }, { part: 1 }, { part: 2 }), branches)).toBe(true)
})

test('isFair() does not hold where the object that is acted on is made with another part, and not sent', () => {
  // The batch transaction and the transaction of a BPAY pay-in come to success in one step.
  expect(isFair(caseOf('bpay-payin', { part: 0 }, { part: 1 }), branches)).toBe(false)
})

test('isFair() does not hold where only another object is sent after the service did not know one', () => {
  const missed = { part: 1, callBack: 'not-found' } as const
  const withItem = caseOf('wallet-to-item-transfer', missed, { part: 2 })
  const withSame = caseOf('wallet-to-item-transfer', missed, { part: 1 }, { part: 2 })

  expect([isFair(withItem, branches), isFair(withSame, branches)]).toEqual([false, true])
})

test('isFair() does not hold for a payment that the receiver is not notified of', () => {
  const others = branches.filter(({ kind }) => kind !== 'npp-payin')

  expect(isFair(caseOf('npp-payin', { part: 0 }), others)).toBe(false)
})
