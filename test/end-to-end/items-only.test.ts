import { expect, test } from 'vitest'
import { catalogue } from '../../contracts/catalogue.ts'
import { toExitCode } from '../../contracts/run/exit-code.ts'
import type { RunResult } from '../../contracts/run/run-result.ts'
import { judged } from '../support/judged-receiver.ts'
import { startItemsShop, type ShopHabits } from '../support/items-shop.ts'

const MUSTS = { failOn: 'must', require: [] } as const

const judgedShop = (habits: ShopHabits, state: string): Promise<RunResult> =>
  judged({
    checks: catalogue,
    start: (options) => startItemsShop(options, habits),
    settings: { consequences: { 'card-payin': { object_type: 'items', state } }, source: undefined },
  })

const failed = ({ results }: RunResult): readonly string[] =>
  results
    .filter(({ verdict, check }) => verdict === 'failed' && check.severity === 'must')
    .map(({ check }) => check.id)

/** It treats what comes after the payment as paid, too. */
const PATIENT: ShopHabits = { paidStates: ['payment_deposited', 'completed'] }

test.each<readonly [string, ShopHabits, string]>([
  ['ships what is completed', { paidStates: ['completed'] }, 'completed'],
  ['ships what is paid', PATIENT, 'payment_deposited'],
  ['takes only newer news', { paidStates: ['completed'], takesOnlyNewer: true }, 'completed'],
])('a careful shop that hears of items alone and %s fails nothing', { timeout: 120_000 }, async (...row) => {
  const [, habits, state] = row
  const run = await judgedShop(habits, state)

  expect([failed(run), toExitCode(run, MUSTS)]).toEqual([[], 0])
})

test('a shop that trusts the body and ships on every copy fails', { timeout: 120_000 }, async () => {
  const run = await judgedShop({ paidStates: ['completed'], trusts: true, shipsEachTime: true }, 'completed')

  expect(failed(run)).toEqual(
    expect.arrayContaining([
      'idempotency/same-delivery-again',
      'idempotency/same-delivery-at-once',
      'order/any-sequence',
      'trust/lying-body',
      'trust/fabricated-id',
    ]),
  )
})
