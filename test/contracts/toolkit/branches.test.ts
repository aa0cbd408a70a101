import { expect, test } from 'vitest'
import { selectBranches } from '../../../contracts/toolkit/branches.ts'
import { paymentKinds } from '../../../spec/payments.ts'
import { careful } from '../support/careful.ts'
import { fakeContext } from '../support/fake-context.ts'
import { expectedEffect } from '../../../contracts/toolkit/expected-effect.ts'

test('payments of every kind are told to a receiver that hears of everything', async () => {
  const { branches, unobserved } = selectBranches(await fakeContext({ receive: careful }), 'good')

  expect(branches.map(({ kind }) => kind)).toEqual(paymentKinds)
  expect(unobserved).toBeUndefined()
})

test('payments that the platform has no use for are left out, and nobody misses them', async () => {
  const bench = await fakeContext({ receive: careful, profile: { unused: ['bpay-payin', 'npp-payin'] } })

  const { branches, unobserved } = selectBranches(bench, 'all')
  const due = await expectedEffect(bench)

  expect(new Set(branches.map(({ kind }) => kind))).toEqual(
    new Set(paymentKinds.filter((kind) => kind !== 'bpay-payin' && kind !== 'npp-payin')),
  )
  expect(unobserved).toBeUndefined()
  expect(due?.message.body).toContain('"type_method":"direct_credit"')
})

test('payments of a type without a URL are left out by name', async () => {
  const bench = await fakeContext({ receive: careful, types: ['batch_transactions'] })

  expect(selectBranches(bench, 'good').unobserved).toContain(
    'realtime-payout (it has no URL for disbursements)',
  )
})
