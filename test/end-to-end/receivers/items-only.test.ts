import { expect, test } from 'vitest'
import { catalogue } from '../../../contracts/catalogue.ts'
import { toExitCode } from '../../../contracts/run/exit-code.ts'
import type { RunResult } from '../../../contracts/run/run-result.ts'
import type { Consequences } from '../../../contracts/toolkit/options.ts'
import { judged, type Platform } from '../../support/judged-receiver.ts'
import type { ReceiverOptions } from '../../receivers/receiver.ts'
import { createShop } from '../../examples/my-receiver.ts'
import { RUNS_FAMILY } from '../../support/receiver-family.ts'
import { serveItems, startItemsShop, type ShopHabits } from '../../support/items-shop.ts'

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

const CAREFUL: readonly (readonly [string, ShopHabits, string])[] = [
  ['ships completed items', { paidStates: ['completed'] }, 'completed'],
  ['ships paid items', { paidStates: ['payment_deposited', 'completed'] }, 'payment_deposited'],
  ['ignores older updates', { paidStates: ['completed'], takesOnlyNewer: true }, 'completed'],
]

/** Defines a test that `npm test` skips. `npm test` tests only one careful receiver. */
const whole = RUNS_FAMILY ? test.concurrent : test.concurrent.skip

test.concurrent.each(RUNS_FAMILY ? CAREFUL : CAREFUL.slice(0, 1))(
  'a careful shop that uses only items and %s fails no check, and every money check judges the shop',
  { timeout: 600_000 },
  async (...row) => {
    const [, habits, state] = row
    const run = await judgedShop(habits, state)

    expect([failed(run), toExitCode(run, MUSTS)]).toEqual([[], 0])
    const card = run.consequences.find(({ kind }) => kind === 'card-payin')
    expect(judgedKinds(run)).toEqual(['card-payin'])
    expect(card?.judgedBy).toEqual(expect.arrayContaining(MONEY_CHECKS))
  },
)

const judgedKinds = ({ consequences }: RunResult): readonly string[] =>
  consequences.filter(({ judgedBy }) => judgedBy.length > 0).map(({ kind }) => kind)

const MONEY_CHECKS = [
  'idempotency/same-delivery-again',
  'idempotency/same-delivery-at-once',
  'idempotency/both-generations',
  'idempotency/aborted-and-retried',
  'idempotency/failed-then-retried',
  'idempotency/next-state-soon-after',
  'order/documented-order',
  'order/final-then-earlier',
  'order/late-retry-of-early-state',
  'order/only-the-final-state',
  'order/no-release-before-success',
  'order/any-sequence',
  'trust/lying-body',
  'trust/failing-show',
  'recovery/old-timestamps',
]

whole.each<readonly [string, Consequences, string]>([
  [
    'a state without notifications',
    { 'card-payin': { object_type: 'items', state: 'work_completed' } },
    'the items come to pending, payment_deposited, completed, never to work_completed',
  ],
  [
    'a type without a URL',
    { 'card-payin': { object_type: 'transactions', state: 'successful' } },
    'the receiver has no URL for transactions',
  ],
  ['none of its notifications', {}, 'the receiver has no URL for transactions'],
])('a run ends with exit code 2 when the shop acts on %s', { timeout: 600_000 }, async (...row) => {
  const [, consequences, obstacle] = row
  const run = await judged({
    checks: catalogue,
    start: (options) => startItemsShop(options, { paidStates: ['completed'] }),
    settings: { consequences, source: undefined },
  })

  expect(toExitCode(run, MUSTS)).toBe(2)
  expect(run.consequences.find(({ kind }) => kind === 'card-payin')).toMatchObject({
    judgedBy: [],
    isMissed: true,
    obstacle,
  })
})

async function startShopOfReadme(options: ReceiverOptions): Promise<Platform> {
  const shop = createShop()
  const original = globalThis.fetch
  globalThis.fetch = (input, init) =>
    original(addressOf(input).replace('https://service.test', options.service.url), init)
  const platform = await serveItems(options, {
    async receive(path, text) {
      if (!path.includes(options.token)) return 404
      return (await shop.receive(new Request('https://shop.test', { method: 'POST', body: text }))).status
    },
    readEffects: (_, id) => ({ effects: shop.shipped.has(id) ? 1 : 0, state: null }),
  })
  const close = async () => {
    globalThis.fetch = original
    await platform.close()
  }
  return { ...platform, close }
}

function addressOf(input: Parameters<typeof fetch>[0]): string {
  return input instanceof Request ? input.url : input.toString()
}

whole('the shop of the README is judged by the money checks', { timeout: 600_000 }, async () => {
  const run = await judged({
    checks: catalogue,
    start: startShopOfReadme,
    settings: { consequences: COMPLETED, source: undefined },
  })

  expect(run.consequences.find(({ kind }) => kind === 'card-payin')?.judgedBy).toEqual(
    expect.arrayContaining(MONEY_CHECKS.filter((id) => id !== 'trust/failing-show')),
  )
  expect(failed(run).filter((id) => /^(idempotency|order)/.test(id))).toEqual([])
})

const COMPLETED: Consequences = { 'card-payin': { object_type: 'items', state: 'completed' } }

test.concurrent.each<readonly [string, ShopHabits, string]>([
  ['ships before completion', { paidStates: ['payment_deposited'] }, 'order/no-release-before-success'],
  ['never ships', { paidStates: [] }, 'order/documented-order'],
  [
    'ships again after a change of the description',
    { paidStates: ['completed'], shipsEachTime: true },
    'idempotency/other-field-changed',
  ],
])('a shop that uses only items fails when the shop %s', { timeout: 600_000 }, async (_, habits, id) => {
  const run = await judged({
    checks: catalogue.filter((check) => check.id === id),
    start: (options) => startItemsShop(options, habits),
    settings: { consequences: COMPLETED, source: undefined },
  })

  expect(failed(run)).toEqual([id])
})
