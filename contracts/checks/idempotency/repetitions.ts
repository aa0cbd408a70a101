import { combineFindings, failed, unreachable, type Exchange, type Finding } from '../../finding.ts'
import { onePerType, selectBranches } from '../../toolkit/branches.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import {
  describeExchange,
  expectAccepted,
  isAccepted,
  isReached,
  requireAccepted,
  sendAll,
} from '../../toolkit/expectations.ts'
import { playToSuccess, type PaymentToNotify } from '../../toolkit/expected-effect.ts'
import { checkRepeatedEffects } from '../../toolkit/payment-outcome.ts'
import { ownMessages, playScenarios, type PlayedScenario } from '../../toolkit/scenario.ts'
import { documentedSequence } from '../../toolkit/sequences.ts'
import { unobservedEffects } from '../../toolkit/unobserved.ts'
import type { Generation } from '../../../spec/delivery.ts'

export const repetitionChecks: readonly ReceiverCheck[] = [
  {
    id: 'idempotency/same-delivery-again',
    severity: 'must',
    requirement: 'The receiver accepts a known delivery, and does not act on it again.',
    lines: [297, 343, 344],
    readings: ['delivery-success', 'retry-body'],
    uses: ['effects'],
    meaning:
      'If an answer is lost, the service sends the same bytes again, up to a day later. Your platform releases goods, or books a payout, once for each copy.',
    remedy:
      'Record the object and the state that you act on, under a unique key, in the transaction that acts. Answer 2xx to a known delivery, and change nothing.',
    run: checkRepetitions,
  },
  {
    id: 'idempotency/same-delivery-at-once',
    severity: 'must',
    requirement: 'The receiver acts once on a delivery that arrives ten times at the same moment.',
    lines: [297],
    readings: ['delivery-success', 'retry-body'],
    uses: ['effects'],
    meaning:
      'A retry can overtake an attempt that is still in progress. If both look for a record before either writes one, the money is spent twice.',
    remedy:
      'Let the database decide, with a unique key on object and state, or a lock on its row, before you act. The second request waits, or gets 409 or 429.',
    run: checkSimultaneous,
  },
  {
    id: 'idempotency/both-generations',
    severity: 'must',
    requirement: 'The receiver acts once on a change that arrives both as a callback and as a webhook.',
    lines: [11, 351],
    needs: ['callbacks', 'effects'],
    meaning:
      'In pre-live, every type is registered in both generations, so each change is notified twice. With a separate record for each generation, everything is paid out twice.',
    remedy: 'Use one handler for both URLs, with one record of your actions.',
    run: checkBothGenerations,
  },
]

const TIMES = 3

async function checkRepetitions(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const scenarios = branches.map((branch) => ({ branch, sequence: documentedSequence(branch) }))
  const payments = await Promise.all(
    (await playScenarios(context, scenarios)).map((each) => repeatPayment(context, each)),
  )
  const records = await repeatRecords(context)
  return combineFindings([...payments, ...records], unobservedEffects(context), unobserved)
}

async function repeatPayment(
  context: CheckContext,
  { branch, play, sent }: PlayedScenario,
): Promise<Finding | undefined> {
  const first = requireAccepted(...sent)
  if (first) return first
  const again = await sendAll(context, ownMessages(branch, play).flatMap(repeatMessage))
  return (
    expectAccepted(...again) ??
    checkRepeatedEffects(
      context,
      { branch, play },
      { because: `although ${branch.kind} was notified again`, isUsualAtFirst: true },
    )
  )
}

/** Repeats types that no payment notifies. */
async function repeatRecords(context: CheckContext): Promise<readonly (Finding | undefined)[]> {
  const messages: Message[] = []
  for (const type of ['items', 'users', 'accounts', 'companies'] as const) {
    if (context.receiver.types().includes(type))
      messages.push(context.messageFor(await context.service.create(type)))
  }
  return Promise.all(
    messages.map(async (message) => {
      const first = requireAccepted(await context.send(message))
      return first ?? expectAccepted(...(await sendAll(context, repeatMessage(message))))
    }),
  )
}

function repeatMessage(message: Message): readonly Message[] {
  return Array.from({ length: TIMES }, (_, index) => ({
    ...message,
    label: `${message.label}, again (${index + 1})`,
  }))
}

const AT_ONCE = 10

async function checkSimultaneous(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const finished = await playToSuccess(context, onePerType(branches))
  const parts = await Promise.all(finished.map((each) => sendAtOnce(context, each)))
  return combineFindings(parts, unobservedEffects(context), unobserved)
}

async function sendAtOnce(context: CheckContext, finished: PaymentToNotify): Promise<Finding | undefined> {
  const { message, branch } = finished
  const copies = Array.from({ length: AT_ONCE }, (_, index) => `${message.label}, copy ${index + 1}`)
  const sent = await Promise.all(copies.map((label) => context.send(message, { label })))
  const finding = expectAcceptedOrBusy(sent)
  if (finding) return finding
  if (!sent.every(isAccepted)) {
    const later = expectAccepted(
      await context.sendUntilAccepted(message, { label: `${message.label}, later` }),
    )
    if (later) return later
  }
  const because = `although ${branch.kind} was notified ${AT_ONCE} times at once`
  return checkRepeatedEffects(context, finished, { because, isUsualAtFirst: false })
}

/** While another copy is in work, "not now" is as good as success. */
function expectAcceptedOrBusy(sent: readonly Exchange[]): Finding | undefined {
  const lost = sent.find((one) => !isReached(one))
  if (lost) return unreachable(describeExchange(lost), lost)
  const wrong = sent.find((one) => !isAccepted(one) && one.status !== 409 && one.status !== 429)
  return (
    wrong &&
    failed(
      `an answer from 200 to 299, or 409 or 429, to each of ${sent.length} copies`,
      describeExchange(wrong),
      { exchanges: [wrong] },
    )
  )
}

/** The generations of each delivery, group by group. */
const WAYS: readonly (readonly (readonly Generation[])[])[] = [
  [['callbacks'], ['webhooks']],
  [['webhooks'], ['callbacks']],
  [['callbacks', 'webhooks']],
]

async function checkBothGenerations(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const both = branches.filter(({ parts }) =>
    parts.every(({ type }) => context.receiver.types('callbacks').includes(type)),
  )
  const chosen = onePerType(both)
  const finished = await playToSuccess(
    context,
    WAYS.flatMap(() => chosen),
  )
  const parts = finished.map((each, index) => ({ each, way: WAYS[Math.floor(index / chosen.length)] ?? [] }))
  return combineFindings(
    await Promise.all(parts.map(({ each, way }) => sendBothWays(context, each, way))),
    unobserved,
  )
}

async function sendBothWays(
  context: CheckContext,
  finished: PaymentToNotify,
  way: readonly (readonly Generation[])[],
): Promise<Finding | undefined> {
  const { message, branch } = finished
  const sent: Exchange[] = []
  for (const group of way) {
    const label = (generation: Generation) => `${message.label}, by ${generation}`
    const fresh = group.map((generation) => context.send(message, { generation, label: label(generation) }))
    sent.push(...(await Promise.all(fresh)))
  }
  const order = way.map((group) => group.join(' and ')).join(', then ')
  return (
    expectAcceptedOrBusy(sent) ??
    checkRepeatedEffects(context, finished, {
      because: `although ${branch.kind} was notified by ${order}`,
      isUsualAtFirst: false,
    })
  )
}
