import { expect, test } from 'vitest'
import { selectBranches } from '../../../contracts/toolkit/branches.ts'
import type { Consequences } from '../../../contracts/toolkit/options.ts'
import { paymentKinds } from '../../../spec/payments.ts'
import { careful } from '../support/careful.ts'
import { openContext } from '../support/check-context.ts'
import { expectedEffect } from '../../../contracts/toolkit/expected-effect.ts'

test('a receiver with a URL for every type gets payments of every kind', async () => {
  const { branches, unobserved } = selectBranches(await openContext({ receive: careful }), 'good')

  expect(branches.map(({ kind }) => kind)).toEqual(paymentKinds)
  expect(unobserved).toBeUndefined()
})

test('payment kinds that the platform does not use are omitted and not reported as unobserved', async () => {
  const bench = await openContext({ receive: careful, profile: { unused: ['bpay-payin', 'npp-payin'] } })

  const { branches, unobserved } = selectBranches(bench, 'all')
  const due = await expectedEffect(bench)

  expect(new Set(branches.map(({ kind }) => kind))).toEqual(
    new Set(paymentKinds.filter((kind) => kind !== 'bpay-payin' && kind !== 'npp-payin')),
  )
  expect(unobserved).toBeUndefined()
  expect(due?.message.body).toContain('"type_method":"direct_credit"')
})

const COMPLETED = { 'card-payin': { object_type: 'items', state: 'completed' } } as const

test('a payment sends notifications when its item is created and each time the item changes', async () => {
  const bench = await openContext({
    receive: careful,
    types: ['items'],
    profile: { consequences: COMPLETED },
  })

  const { branches, unobserved } = selectBranches(bench, 'good')

  expect(branches).toMatchObject([
    {
      kind: 'card-payin',
      effects: 1,
      deciding: 2,
      parts: [
        { number: 1, type: 'items', state: 'pending', step: 0, isLast: false },
        { number: 3, type: 'items', state: 'payment_deposited', step: 1, isLast: false },
        { number: 5, type: 'items', state: 'completed', step: 2, isLast: true },
      ],
    },
  ])
  expect(unobserved).toContain('direct-debit-payin (the receiver has no URL for batch_transactions)')
})

test.each<readonly [string, string, readonly number[]]>([
  ['in one outcome', 'payment_deposited', [1, 0, 0]],
  ['in the other outcomes', 'payment_required', [0, 1, 1]],
  ['in every outcome', 'payment_pending', [1, 1, 1]],
])('a consequence can be a state that occurs %s', async (_, state, effects) => {
  const consequences = { 'direct-debit-payin': { object_type: 'items', state } } as const
  const bench = await openContext({ receive: careful, profile: { consequences } })

  const all = selectBranches(bench, 'all', ['direct-debit-payin']).branches
  const good = selectBranches(bench, 'good', ['direct-debit-payin']).branches

  expect(all.map((branch) => branch.effects)).toEqual(effects)
  expect(good).toEqual(all.filter((branch) => branch.effects === 1))
})

test.each<readonly [string, Consequences, string]>([
  [
    'a state that the payment never reaches',
    { 'card-payin': { object_type: 'items', state: 'refunded' } },
    'the states of the items are pending, payment_deposited, completed, but never refunded',
  ],
  [
    'an object without a notification',
    { 'card-payin': { object_type: 'users', state: 'approved' } },
    'the payment sends no notification about users',
  ],
])('a payment is omitted when the platform acts on %s', async (_, consequences, obstacle) => {
  const bench = await openContext({ receive: careful, profile: { consequences } })

  expect(selectBranches(bench, 'all', ['card-payin'])).toEqual({
    branches: [],
    unobserved: `Not played: card-payin (${obstacle})`,
  })
})
