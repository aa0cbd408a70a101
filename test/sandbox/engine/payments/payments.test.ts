import { expect, test } from 'vitest'
import { LIFECYCLES } from '../../../../spec/generated/lifecycles.ts'
import { paymentSteps } from '../../../../spec/payments.ts'
import { parseNotification } from '../../../../spec/parse-notification.ts'
import { startPayment, type PlayRequest } from '../../../../sandbox/engine/payments/play.ts'
import { documentedSteps, expectInSteps, PLAYS, summary } from '../../../support/payment-summaries.ts'
import { type Platform, platform } from '../../../support/platform.ts'
import { START, testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'

const MINUTE = 60_000

async function play(sandbox: TestSandbox, request: PlayRequest) {
  const { payment, writes } = startPayment(request, sandbox.context)
  await sandbox.commit(writes)
  await sandbox.idle()
  return sandbox.store.payment(payment.id) ?? payment
}

interface Sent {
  readonly type: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks at any field
  readonly object: any
}

function posted({ bodies }: Platform): Sent[] {
  return bodies().map((body) => {
    const parsed = parseNotification(body)
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
    const { type, notification } = parsed
    return { type, object: Reflect.get(notification, type) ?? notification }
  })
}

const lineOf = ({ type, object }: Sent) => summary(type, object)

test.each(PLAYS)('%s with outcome %s sends the documented notifications in order', async (kind, outcome) => {
  const sandbox = await platform()

  const payment = await play(sandbox, { kind, outcome })

  const steps = paymentSteps(kind, outcome)
  const types = new Set<string>(steps.flat().map(({ object }) => object))
  const sent = posted(sandbox)
  const arrived = sent.filter(({ type }) => types.has(type)).map(lineOf)
  expectInSteps(arrived, documentedSteps(kind, outcome))
  expect(
    [...new Set(sent.map(({ type }) => type))].filter((type) => !types.has(type) && type !== 'items'),
  ).toEqual([])
  expect([payment.step, payment.steps, payment.next_due_at]).toEqual([payment.steps, payment.steps, null])
})

test.each(PLAYS)('%s with outcome %s has consistent codes, amounts and relations', async (kind, outcome) => {
  const sandbox = await platform()

  const payment = await play(sandbox, { kind, outcome, amount: 4_200 })

  const codes: Record<string, { code?: number }> = LIFECYCLES.objects.batch_transactions.states
  for (const { type, object } of posted(sandbox)) {
    if (type === 'batch_transactions') expect(object.status).toBe(codes[object.state]?.code)
    if (type !== 'virtual_accounts') expect(object.amount).toBe(4_200)
  }
  const participants: Record<string, unknown> = { ...payment.participants }
  const rows = paymentSteps(kind, outcome).flat()
  for (const [index, { object: type, sets = {} }] of rows.entries()) {
    const object = posted(sandbox).filter((sent) => rows.some((row) => row.object === sent.type))[index]
      ?.object
    for (const [path, reference] of Object.entries(sets)) {
      const value = path
        .replaceAll(/\[(\d+)\]/g, '.$1')
        .split('.')
        .reduce((node, key) => node[key], object)
      const [role = '', part] = reference.split('.')
      expect([type, path]).toEqual([type, path])
      expect(value).toEqual(part === undefined ? reference : role === 'self' ? object.id : participants[role])
    }
  }
})

test('the item of a direct debit follows the outcome and sends a notification for each change', async () => {
  const sandbox = await platform()

  const payment = await play(sandbox, { kind: 'direct-debit-payin', outcome: 'failed_direct_debit' })

  const items = posted(sandbox).filter(({ type }) => type === 'items')
  expect(
    items.map(({ object }) => [object.id === payment.participants.item, object.state, object.batch_state]),
  ).toEqual([
    [true, 'pending', null],
    [true, 'payment_pending', 'batched'],
    [true, 'payment_pending', 'bank_processing'],
    [true, 'payment_required', 'failed_direct_debit'],
  ])
})

test('a card payment pays its item and releases the money to the wallet', async () => {
  const sandbox = await platform()
  const { body } = await sandbox.control('POST', '/objects/items', {
    amount: 10_000,
    seller_fees: 200,
    buyer_fees: 100,
  })

  const payment = await play(sandbox, { kind: 'card-payin', item: body.id })

  const wallet = sandbox.store.object('accounts', payment.participants.wallet_account)?.body
  const item = sandbox.store.object('items', body.id)?.body
  expect([payment.amount, wallet?.amount]).toEqual([10_100, 9_800])
  expect(item).toMatchObject({ state: 'completed', remaining_amount: 0, released_amount: 9_800 })
})

test.each([
  ['successful', 0],
  ['invalid_account_details', 4_200],
])('a payout with the outcome %s leaves the amount %d in the wallet', async (outcome, amount) => {
  const sandbox = await platform()

  const { participants } = await play(sandbox, { kind: 'direct-credit-payout', outcome, amount: 4_200 })

  expect(sandbox.store.object('accounts', participants.wallet_account)?.body.amount).toBe(amount)
  expect(posted(sandbox).some(({ type }) => type === 'accounts')).toBe(false)
})

test('the users and accounts of a payment are notified when the reading "accompanying-notifications" is "all"', async () => {
  const sandbox = await platform({ 'accompanying-notifications': 'all' })

  await play(sandbox, { kind: 'npp-payin' })

  expect(
    posted(sandbox)
      .map(({ type }) => type)
      .toSorted(),
  ).toEqual(['accounts', 'transactions', 'users'])
})

test('a direct-credit payout sends a transaction notification when the reading "accompanying-notifications" is "all"', async () => {
  const sandbox = await platform({ 'accompanying-notifications': 'all' })

  const { participants } = await play(sandbox, { kind: 'direct-credit-payout' })

  const transactions = posted(sandbox).filter(({ type }) => type === 'transactions')
  expect(transactions.map(lineOf)).toEqual(['transactions disbursement direct_credit successful'])
  expect(transactions[0]?.object).toMatchObject({
    dynamic_descriptor: expect.any(String),
    related: { transactions: [{ account_id: participants.bank_account, account_type: 'bank_account' }] },
  })
})

test('the transaction of a payout does not debit the wallet a second time', async () => {
  const sandbox = await platform({ 'accompanying-notifications': 'all' })

  const { participants } = await play(sandbox, { kind: 'direct-credit-payout', amount: 4_200 })

  expect(sandbox.store.object('accounts', participants.wallet_account)?.body.amount).toBe(0)
})

test('a stepwise payment waits for a request before each step', async () => {
  const sandbox = await platform()
  const started = await play(sandbox, { kind: 'bpay-payin', pace: 'stepwise' })
  await sandbox.advance(START + 60 * MINUTE)
  const before = posted(sandbox).map(lineOf)

  const next = () =>
    sandbox.perform('takePaymentStep', { path: { id: started.id }, query: {}, body: undefined })
  const done = await next()
  await expect(next()).rejects.toThrow('all its 2 steps are done')
  await sandbox.idle()

  expect(before).toEqual(['batch_transactions bpay bpay bpay_pending'])
  expect(done.step).toBe(2)
  expect(posted(sandbox).length).toBe(3)
})

test('the steps of a payment follow its pace in sandbox time', async () => {
  const sandbox = await platform()
  await play(sandbox, { kind: 'direct-credit-payout', pace: 10 * MINUTE })

  await sandbox.advance(START + 15 * MINUTE)
  const half = posted(sandbox).map(({ object }) => object.updated_at)
  await sandbox.advance(START + 60 * MINUTE)

  expect(half).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-01T00:10:00.000Z'])
  expect(posted(sandbox).at(-1)?.object).toMatchObject({
    state: 'successful',
    updated_at: '2026-01-01T00:20:00.000Z',
  })
})

test.each([
  [{ kind: 'barter' }, 'Cannot play "barter": the kinds are direct-credit-payout'],
  [
    { kind: 'card-payin', outcome: 'cancelled' },
    'Cannot play card-payin with outcome "cancelled": the outcome must be successful',
  ],
  [{ kind: 'card-payin', item: 'unknown' }, 'Cannot find items "unknown"'],
])('startPayment() rejects %j', (request, message) => {
  expect(() => startPayment(request, testSandbox().context)).toThrow(message)
})
