import { afterAll, beforeAll, expect, test } from 'vitest'
import { DELIVERY } from '../../spec/generated/delivery.ts'
import { FUNDS, makePlatformPayment, openDoors, openShop, PRICE } from '../support/platform-payments.ts'
import { startWalk, type Received, type Walk } from '../support/walk.ts'

let walk: Walk

beforeAll(async () => {
  walk = await startWalk()
  for (const object_type of DELIVERY.object_types.webhooks.value)
    await openDoors(walk).service('POST', '/webhooks', {
      url: walk.urlFor('webhooks', object_type),
      object_type,
    })
})

afterAll(() => walk.close())

const payout = (outcome: string) => ({ wallet: outcome === 'successful' ? FUNDS - PRICE : FUNDS })

/** What §6.2 and §3 list for each outcome of a payment that a platform makes, and what becomes of its money. */
const ROWS = [
  [
    'card-payin',
    'successful',
    [
      'transactions payment credit_card successful',
      'batch_transactions payment_funding credit_card successful',
    ],
    { item: 'completed', wallet: FUNDS + PRICE },
  ],
  ...[
    ['successful', 'payment_deposited'],
    ['invalid_account_details', 'payment_required'],
    ['failed_direct_debit', 'payment_required'],
  ].map(
    ([outcome = '', item = '']) =>
      [
        'direct-debit-payin',
        outcome,
        ['batched', 'bank_processing', outcome].map(
          (state) => `batch_transactions payment direct_debit ${state}`,
        ),
        { item, wallet: FUNDS },
      ] as const,
  ),
  [
    'wallet-to-item-transfer',
    'successful',
    ['transactions payment wallet_account_transfer successful'],
    { item: 'payment_deposited', wallet: FUNDS },
  ],
  ...['successful', 'invalid_account_details'].flatMap((outcome) => [
    [
      'direct-credit-payout',
      outcome,
      ['batched', 'bank_processing', outcome].map(
        (state) => `batch_transactions disbursement direct_credit ${state}`,
      ),
      payout(outcome),
    ] as const,
    [
      'bpay-payout',
      outcome,
      ['bank_processing', outcome].map((state) => `batch_transactions disbursement bpay ${state}`),
      payout(outcome),
    ] as const,
  ]),
  ...['successful', 'cancelled'].map(
    (outcome) =>
      [
        'realtime-payout',
        outcome,
        ['disbursements bank_processing', `disbursements ${outcome}`],
        payout(outcome),
      ] as const,
  ),
  ...['active', 'activation_failed'].map(
    (outcome) =>
      [
        'virtual-account-activation',
        outcome,
        ['virtual_accounts status_updated'],
        { wallet: FUNDS },
      ] as const,
  ),
] as const

/** What arrived beside items, users and accounts. */
function line({ object_type, body }: Received): string {
  const { type, type_method, state, event } = body[object_type] ?? body
  return [object_type, type, type_method, state ?? event].filter(Boolean).join(' ')
}

const SECONDARY = new Set(['items', 'users', 'accounts'])

/** Makes one, and takes all of its steps; what came of it. */
async function payToItsEnd(kind: (typeof ROWS)[number][0], given: Awaited<ReturnType<typeof openShop>>) {
  const doors = openDoors(walk)
  const before = walk.received.length
  const item = await makePlatformPayment(kind, given, doors)
  await doors.bench('POST', '/settle', {})
  let payment = (await doors.bench('GET', '/payments')).payments.at(-1)
  while (payment.step < payment.steps) payment = await doors.bench('POST', `/payments/${payment.id}/next`)
  await doors.bench('POST', '/settle', {})
  const last = payment.moves.at(-1)?.objects.at(-1)
  const shown = await doors.bench('GET', `/objects/${last.object_type}/${last.id}`)
  return {
    payment,
    arrived: walk.received
      .slice(before)
      .filter(({ object_type }) => !SECONDARY.has(object_type))
      .map(line),
    shown: shown.object.state ?? shown.object.status,
    item: item === undefined ? undefined : (await doors.service('GET', `/items/${item}`)).items.state,
    wallet: (await doors.service('GET', `/accounts/${given.sellerWallet}`)).accounts.amount,
  }
}

test.each(ROWS)(
  'the next %s that the platform makes ends %s if told so',
  async (kind, outcome, ...[lines, money]) => {
    const doors = openDoors(walk)
    const given = await openShop(doors)
    const chosen = await doors.bench('PUT', `/next-outcomes/${kind}`, { outcome })
    const listed = await doors.bench('GET', '/next-outcomes')

    const ended = await payToItsEnd(kind, given)

    expect([chosen, listed]).toEqual([{ kind, outcome }, { next_outcomes: [{ kind, outcome }] }])
    expect(ended).toMatchObject({ payment: { kind, outcome }, arrived: lines, shown: outcome, ...money })
    expect(await doors.bench('GET', '/next-outcomes')).toEqual({ next_outcomes: [] })
  },
)

test('what was chosen for the next payment holds over a restart, and for one payment only', async () => {
  const doors = openDoors(walk)
  const given = await openShop(doors)
  await doors.bench('PUT', '/next-outcomes/bpay-payout', { outcome: 'invalid_account_details' })
  await walk.restart()

  const [first, second] = [await payToItsEnd('bpay-payout', given), await payToItsEnd('bpay-payout', given)]

  expect([first.shown, second.shown]).toEqual(['invalid_account_details', 'successful'])
})
