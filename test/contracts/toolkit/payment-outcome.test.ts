import { expect, test } from 'vitest'
import { selectBranches } from '../../../contracts/toolkit/branches.ts'
import { playToSuccess } from '../../../contracts/toolkit/expected-effect.ts'
import { checkEffects, companionObjects } from '../../../contracts/toolkit/payment-outcome.ts'
import { openContext } from '../support/check-context.ts'

test('checkEffects() lists the deciding object first in the evidence, even if it is a companion object', async () => {
  const context = await openContext({ receive: () => ({ status: 200 }) })
  const { branches } = selectBranches(context, 'good', ['bpay-payin'])
  const [payment] = await playToSuccess(context, branches)
  if (!payment) throw new Error('Cannot play a bpay-payin')
  const [companion] = companionObjects(payment.branch, payment.play)
  const reach = async ({ type }: { readonly type: string }) =>
    type === payment.target.type ? { effects: 1, state: null } : { effects: 4, state: null }

  const finding = await checkEffects({ ...context, effects: { ...context.effects, reach } }, payment, 'once')

  expect(finding).toMatchObject({
    kind: 'failed',
    actual: '4 effects, and the receiver shows no state',
    evidence: { objects: [companion, payment.target] },
  })
})
