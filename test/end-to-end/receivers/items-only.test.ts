import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { catalogue } from '../../../contracts/catalogue.ts'
import { toExitCode } from '../../../contracts/run/exit-code.ts'
import type { RunResult } from '../../../contracts/run/run-result.ts'
import type { Consequences } from '../../../contracts/toolkit/options.ts'
import { judged, type Platform } from '../../support/judged-receiver.ts'
import type { ReceiverOptions } from '../../receivers/receiver.ts'
import { createShop } from '../../examples/my-receiver.ts'
import { RUNS_FAMILY, ITEMS_SHOP, runFamilyMember, type Wishes } from '../../support/receiver-family.ts'
import { serveHttp } from '../../support/scripted-server.ts'

const MUSTS = { failOn: 'must', require: [] } as const

/** Judges the shop with the given consequences instead of the consequences in its own configuration. */
function judgedShop(consequences: Consequences, wishes?: Wishes): Promise<RunResult> {
  const config: typeof ITEMS_SHOP.config = (...place) => ({ ...ITEMS_SHOP.config(...place), consequences })
  return runFamilyMember({ ...ITEMS_SHOP, config }, wishes)
}

const paidAt = (state: string): Consequences => ({ 'card-payin': { object_type: 'items', state } })

const failed = ({ results }: RunResult): readonly string[] =>
  results
    .filter(({ verdict, check }) => verdict === 'failed' && check.severity === 'must')
    .map(({ check }) => check.id)

/** Defines a test that runs only with `npm run test:receivers`. */
const whole = RUNS_FAMILY ? test.concurrent : test.concurrent.skip

test.concurrent.each<readonly [string, string | undefined]>([
  ['payment_deposited', undefined],
  ['completed', 'ships-later'],
])(
  'a careful shop that ships items in state %s fails no check, and every money check judges the shop',
  { timeout: 600_000 },
  async (state, hole) => {
    const run = await judgedShop(paidAt(state), { hole })

    expect([failed(run), toExitCode(run, MUSTS)]).toEqual([[], 0])
    const judgedKinds = run.consequences.filter(({ judgedBy }) => judgedBy.length > 0)
    expect(judgedKinds).toMatchObject([
      { kind: 'card-payin', judgedBy: expect.arrayContaining(MONEY_CHECKS) },
    ])
  },
)

const MONEY_CHECKS = [
  'idempotency/same-delivery-again',
  'idempotency/same-delivery-at-once',
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
    paidAt('work_completed'),
    'the states of the items are pending, payment_deposited, completed, but never work_completed',
  ],
  [
    'a type without a URL',
    { 'card-payin': { object_type: 'transactions', state: 'successful' } },
    'the receiver has no URL for transactions',
  ],
  ['none of its notifications', {}, 'the receiver has no URL for transactions'],
])('a run ends with exit code 2 when the shop acts on %s', { timeout: 600_000 }, async (...row) => {
  const [, consequences, obstacle] = row
  const run = await judgedShop(consequences)

  expect(toExitCode(run, MUSTS)).toBe(2)
  expect(run.consequences.find(({ kind }) => kind === 'card-payin')).toMatchObject({
    judgedBy: [],
    isMissed: true,
    obstacle,
  })
})

async function startShopOfReadme({ cert, key, token, service }: ReceiverOptions): Promise<Platform> {
  const shop = createShop()
  const original = globalThis.fetch
  globalThis.fetch = (input, init) =>
    original(addressOf(input).replace('https://service.test', service.url), init)
  async function statusOf(request: IncomingMessage): Promise<number> {
    const body = await text(request)
    if (request.method !== 'POST') return 405
    if (request.headers['content-type']?.startsWith('application/json') !== true) return 415
    if (request.url?.includes(token) !== true) return 404
    return (await shop.receive(new Request('https://shop.test', { method: 'POST', body }))).status
  }
  const { origin, close } = await serveHttp(
    (request, response) =>
      void statusOf(request)
        .catch(() => 500)
        .then((status) => response.writeHead(status).end()),
    { cert, key },
  )
  return {
    webhooks: { items: `${origin}/webhooks/items/${token}` },
    callbacks: { items: `${origin}/callbacks/items/${token}` },
    effects: '',
    core: { readEffects: (_, id) => ({ effects: shop.shipped.has(id) ? 1 : 0, state: null }) },
    async close() {
      globalThis.fetch = original
      await close()
    },
  }
}

function addressOf(input: Parameters<typeof fetch>[0]): string {
  return input instanceof Request ? input.url : input.toString()
}

whole('the shop of the README is judged by the money checks', { timeout: 600_000 }, async () => {
  const run = await judged({
    checks: catalogue,
    start: startShopOfReadme,
    settings: { consequences: paidAt('completed'), source: undefined },
  })

  expect(run.consequences.find(({ kind }) => kind === 'card-payin')?.judgedBy).toEqual(
    expect.arrayContaining(MONEY_CHECKS.filter((id) => id !== 'trust/failing-show')),
  )
  expect(failed(run).filter((id) => /^(idempotency|order)/.test(id))).toEqual([])
})

test.concurrent.each<readonly [string, string, string, string | undefined]>([
  ['ships before completion', 'completed', 'order/no-release-before-success', undefined],
  ['never ships', 'payment_deposited', 'order/documented-order', 'never-ships'],
  [
    'ships again after a change of the description',
    'payment_deposited',
    'idempotency/other-field-changed',
    'acts-on-each-copy',
  ],
])('a shop that uses only items fails when the shop %s', { timeout: 600_000 }, async (...row) => {
  const [, state, id, hole] = row
  const run = await judgedShop(paidAt(state), { hole, checks: [id] })

  expect(failed(run)).toEqual([id])
})
