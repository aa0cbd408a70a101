import { expect, test } from 'vitest'
import { paymentKinds } from '../../../spec/payments.ts'
import type { CheckContext } from '../../../contracts/toolkit/check-context.ts'
import { planRehearsal, type RehearsalWish } from '../../../contracts/toolkit/rehearsal-plan.ts'
import { checkRehearsal } from '../../../contracts/toolkit/rehearsal-verdict.ts'
import { playRehearsals } from '../../../contracts/toolkit/scenario.ts'
import { careful } from '../support/careful.ts'
import { trusting } from '../support/careless.ts'
import { openContext, type ContextOptions } from '../support/check-context.ts'
import type { Incoming } from '../support/scripted-receiver.ts'

async function rehearsed(options: ContextOptions, request: RehearsalWish) {
  const received: Incoming[] = []
  const notes: string[] = []
  const context: CheckContext = {
    ...(await openContext({
      ...options,
      receive: (incoming, desk) => {
        received.push(incoming)
        return options.receive(incoming, desk)
      },
    })),
    note: (text) => void notes.push(text),
  }
  const { rehearsal, obstacle } = planRehearsal(request, context)
  const [played] = await playRehearsals(context, [rehearsal])
  if (!played) throw new Error('No payment was played')
  const states = received.map(({ type, body }) => `${type} ${JSON.parse(body)[type ?? '']?.state}`)
  return { received, states, notes, finding: await checkRehearsal(context, played, obstacle) }
}

const PAYOUT = 'direct-credit-payout'
const [BATCHED, PROCESSING, SUCCESSFUL] = ['batched', 'bank_processing', 'successful'].map(
  (state) => `batch_transactions ${state}`,
)
const order = (...numbers: readonly number[]) => numbers.map((number) => ({ number }))

test.each(paymentKinds)(
  'a rehearsal of %s passes a correct receiver in the documented order',
  async (kind) => {
    expect((await rehearsed({ receive: careful }, { kind })).finding).toEqual({ kind: 'passed' })
  },
)

test('a rehearsal sends each notification as often as requested and in the requested order', async () => {
  const { states, finding } = await rehearsed(
    { receive: careful },
    { kind: PAYOUT, deliveries: order(3, 1, 3) },
  )

  expect([states, finding]).toEqual([[SUCCESSFUL, BATCHED, SUCCESSFUL], { kind: 'passed' }])
})

test('a rehearsal never sends a delivery that is marked as lost and records the loss', async () => {
  const { states, notes } = await rehearsed(
    { receive: careful },
    { kind: PAYOUT, deliveries: [{ number: 1, lose: true }, { number: 3 }] },
  )

  expect([states, notes]).toEqual([[SUCCESSFUL], ['@1 batch_transactions batched never arrives']])
})

test('a rehearsal sends a delivery with a lost response again after all other deliveries', async () => {
  const { states, received } = await rehearsed(
    { receive: careful },
    { kind: PAYOUT, deliveries: [{ number: 1, break_answer: true }, { number: 3 }] },
  )

  expect(states).toEqual([BATCHED, SUCCESSFUL, BATCHED])
  expect(received[2]?.body).toBe(received[0]?.body)
})

test('a rehearsal sends a rejected delivery again until the receiver accepts the delivery', async () => {
  let refusals = 1
  const { states, finding } = await rehearsed(
    { receive: (incoming, desk) => (refusals-- > 0 ? { status: 503 } : careful(incoming, desk)) },
    { kind: PAYOUT, deliveries: order(2, 3) },
  )

  expect([states, finding]).toEqual([[PROCESSING, SUCCESSFUL, PROCESSING], { kind: 'passed' }])
})

test('a rehearsal sends a late delivery last, with a body that is one day old', async () => {
  const { states, received } = await rehearsed(
    { receive: careful },
    { kind: PAYOUT, deliveries: [{ number: 1, late: true }, { number: 3 }] },
  )

  expect(states).toEqual([SUCCESSFUL, BATCHED])
  const [last, late] = received.map(({ body }) => Date.parse(JSON.parse(body).batch_transactions.updated_at))
  expect((last ?? 0) - (late ?? 0)).toBeGreaterThan(86_000_000)
})

test('a rehearsal sends the webhook first, and then the delivery that is marked as a callback', async () => {
  const { received } = await rehearsed(
    { receive: careful },
    { kind: PAYOUT, deliveries: [{ number: 3, callback: true }] },
  )

  expect(received.map(({ generation }) => generation)).toEqual(['webhooks', 'callbacks'])
})

test('a rehearsal accepts one effect or no effect when the success notification is lost', async () => {
  const request = { kind: PAYOUT, deliveries: [{ number: 3, lose: true }, { number: 1 }] }

  const told = await rehearsed({ receive: trusting() }, request)
  const asking = await rehearsed({ receive: careful }, request)

  expect([told.finding, asking.finding]).toEqual([
    {
      kind: 'passed',
      unobserved: expect.stringContaining(
        'The receiver showed no effect, and both one effect and no effect are correct',
      ),
    },
    {
      kind: 'passed',
      unobserved: expect.stringContaining(
        'The receiver showed one effect, and both one effect and no effect are correct',
      ),
    },
  ])
})

const REFUSING = () => ({ status: 400 })
const BLIND = { observe: { effects: false } } as const

test.each<readonly [string, ContextOptions, RehearsalWish, object]>([
  [
    'fails a receiver that returns to an earlier state',
    { receive: trusting({ backwards: true }) },
    { kind: PAYOUT, deliveries: [{ number: 3 }, { number: 1, late: true }] },
    { kind: 'failed', actual: expect.stringContaining('the state batched') },
  ],
  [
    'fails a receiver that acts before the success notification',
    { receive: trusting({ isDue: () => true }) },
    { kind: PAYOUT, deliveries: order(1) },
    { kind: 'failed', symptom: 'undue-effect' },
  ],
  [
    'fails a receiver that rejects a notification',
    { receive: REFUSING },
    { kind: 'npp-payin' },
    { kind: 'failed', expected: 'an answer from 200 to 299' },
  ],
  [
    'gives no verdict when the effects are invisible',
    { receive: careful, ...BLIND },
    { kind: 'npp-payin' },
    { kind: 'not-observable', why: expect.stringContaining('Set effects.http') },
  ],
  [
    'gives no verdict when the receiver has no URL for the object type of the consequence',
    { receive: careful, types: ['items'] },
    { kind: 'card-payin' },
    { kind: 'not-observable', why: 'Every delivery was accepted; the receiver has no URL for transactions' },
  ],
  [
    'gives no verdict when the receiver is unreachable',
    { receive: () => ({ reason: 'connect_refused' }) },
    { kind: PAYOUT },
    { kind: 'inconclusive', cause: 'unreachable' },
  ],
])('a rehearsal %s', async (...row) => {
  const [, options, wish, finding] = row
  expect((await rehearsed(options, wish)).finding).toMatchObject(finding)
})
