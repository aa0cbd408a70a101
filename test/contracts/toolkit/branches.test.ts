import { expect, test } from 'vitest'
import { branchesOf } from '../../../contracts/toolkit/branches.ts'
import { dueEffect } from '../../../contracts/toolkit/due.ts'
import { paymentKinds } from '../../../spec/payments.ts'
import { careful } from '../support/careful.ts'
import { fakeBench } from '../support/fake-bench.ts'

test('payments of every kind are told to a receiver that hears of everything', async () => {
  const { branches, unseen } = branchesOf(await fakeBench({ receive: careful }), 'good')

  expect(branches.map(({ kind }) => kind)).toEqual(paymentKinds)
  expect(unseen).toBeUndefined()
})

test('payments that the platform has no use for are left out, and nobody misses them', async () => {
  const bench = await fakeBench({ receive: careful, profile: { unused: ['bpay-payin', 'npp-payin'] } })

  const { branches, unseen } = branchesOf(bench, 'all')
  const due = await dueEffect(bench)

  expect(new Set(branches.map(({ kind }) => kind))).toEqual(
    new Set(paymentKinds.filter((kind) => kind !== 'bpay-payin' && kind !== 'npp-payin')),
  )
  expect(unseen).toBeUndefined()
  expect(due?.notice.body).toContain('"type_method":"direct_credit"')
})

test('payments of a type without a URL are left out by name', async () => {
  const bench = await fakeBench({ receive: careful, types: ['batch_transactions'] })

  expect(branchesOf(bench, 'good').unseen).toContain('realtime-payout (it has no URL for disbursements)')
})
