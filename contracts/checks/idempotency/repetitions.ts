import { combineFindings, withUnobserved, type Exchange, type Finding } from '../../finding.ts'
import { onePerType, selectBranches } from '../../toolkit/branches.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import {
  expectAccepted,
  failedExchange,
  isAccepted,
  requireAccepted,
  requireReached,
  sendAll,
} from '../../toolkit/expectations.ts'
import type { PaymentToNotify } from '../../toolkit/expected-effect.ts'
import { createMessages } from '../../toolkit/golden-message.ts'
import { named } from '../../toolkit/messages.ts'
import { checkPayments, checkRepeatedEffects } from '../../toolkit/payment-outcome.ts'
import { ownMessages, playScenarios, type PlayedScenario } from '../../toolkit/scenario.ts'
import { documentedSequence } from '../../toolkit/sequences.ts'
import { unobservedEffects } from '../../toolkit/unobserved.ts'
import type { Generation } from '../../../spec/delivery.ts'

export const repetitionChecks: readonly ReceiverCheck[] = [
  {
    id: 'idempotency/same-delivery-again',
    severity: 'must',
    requirement: 'The receiver accepts a repeated delivery, and does not act on it again.',
    lines: [297, 343, 344],
    readings: ['delivery-success', 'retry-body'],
    uses: ['effects'],
    meaning:
      'If an answer is lost, the service sends the same bytes again, up to seven hours later. Your platform releases goods, or books a payout, once for each copy of the notification.',
    remedy:
      'Record the object and its state under a unique key, in the same transaction as the action. Answer 2xx to a repeated delivery, and change nothing.',
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
      'A retry can overtake an attempt that is still in progress. If both attempts check for a record before either attempt writes it, the money is spent twice.',
    remedy:
      'Before you act, claim the delivery in the database, with a unique key on object and state, or with a row lock. Let the second request wait, or answer it with 409 or 429.',
    async run(context) {
      const finding = await checkPayments(context, (each) => sendAtOnce(context, each))
      return withUnobserved(finding, unobservedEffects(context))
    },
  },
  {
    id: 'idempotency/both-generations',
    severity: 'must',
    requirement: 'The receiver acts once on a change that arrives both as a callback and as a webhook.',
    lines: [11, 351],
    needs: ['callbacks', 'effects'],
    meaning:
      'In the pre-live environment, every type has both a callback and a webhook, so each change causes two notifications. If callbacks and webhooks have separate records, your platform pays everything out twice.',
    remedy: 'Use the same handler and the same record of actions for callback URLs and webhook URLs.',
    run: (context) => {
      const types = context.receiver.types('callbacks')
      return checkPayments(
        context,
        (each, index) => sendBothWays(context, each, WAYS[index % WAYS.length] ?? []),
        (branches) =>
          onePerType(branches.filter(({ parts }) => parts.every(({ type }) => types.includes(type)))).flatMap(
            (branch) => WAYS.map(() => branch),
          ),
      )
    },
  },
]

const TIMES = 3

async function checkRepetitions(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const scenarios = branches.map((branch) => ({ branch, sequence: documentedSequence(branch) }))
  const payments = await Promise.all(
    (await playScenarios(context, scenarios)).map((each) => repeatPayment(context, each)),
  )
  // No single kind of payment sends notifications of all these types, so the check creates one object of each type.
  const messages = await createMessages(context, ['items', 'users', 'accounts', 'companies'])
  const records = await Promise.all(
    messages.map(async (message) => {
      const first = requireAccepted(await context.send(message))
      return first ?? expectAccepted(...(await sendAll(context, repeatMessage(message))))
    }),
  )
  return combineFindings([...payments, ...records], unobservedEffects(context), unobserved)
}

async function repeatPayment(context: CheckContext, { branch, play, sent }: PlayedScenario) {
  const first = requireAccepted(...sent)
  if (first) return first
  const again = await sendAll(context, ownMessages(branch, play).flatMap(repeatMessage))
  const because = `although the ${branch.kind} notification was sent again`
  return (
    expectAccepted(...again) ??
    checkRepeatedEffects(context, { branch, play }, { because, isUsualAtFirst: true })
  )
}

function repeatMessage(message: Message): readonly Message[] {
  return Array.from({ length: TIMES }, (_, index) => named(message, `again (${index + 1})`))
}

const AT_ONCE = 10

async function sendAtOnce(context: CheckContext, payment: PaymentToNotify): Promise<Finding | undefined> {
  const { message, branch } = payment
  const copies = Array.from({ length: AT_ONCE }, (_, index) => named(message, `copy ${index + 1}`))
  const sent = await Promise.all(copies.map((copy) => context.send(copy)))
  const finding = expectAcceptedOrBusy(sent)
  if (finding) return finding
  if (!sent.every(isAccepted)) {
    const later = expectAccepted(await context.sendUntilAccepted(named(message, 'later')))
    if (later) return later
  }
  const because = `although the ${branch.kind} notification was sent ${AT_ONCE} times at once`
  return checkRepeatedEffects(context, payment, { because, isUsualAtFirst: false })
}

/** Accepts 409 and 429, because the receiver may postpone a copy while it works on another copy. */
function expectAcceptedOrBusy(sent: readonly Exchange[]): Finding | undefined {
  const wrong = sent.find((one) => !isAccepted(one) && one.status !== 409 && one.status !== 429)
  const expected = `an answer from 200 to 299, or 409 or 429, to each of ${sent.length} copies`
  return requireReached(...sent) ?? (wrong && failedExchange(expected, wrong))
}

/** The orders in which the deliveries of both generations are sent. Deliveries in one group are sent at the same time. */
const WAYS: readonly (readonly (readonly Generation[])[])[] = [
  [['callbacks'], ['webhooks']],
  [['webhooks'], ['callbacks']],
  [['callbacks', 'webhooks']],
]

async function sendBothWays(
  context: CheckContext,
  payment: PaymentToNotify,
  way: readonly (readonly Generation[])[],
): Promise<Finding | undefined> {
  const { message, branch } = payment
  const sent: Exchange[] = []
  for (const group of way) {
    const fresh = group.map((generation) => context.send(named(message, `by ${generation}`), { generation }))
    sent.push(...(await Promise.all(fresh)))
  }
  const order = way.map((group) => group.join(' and ')).join(', then ')
  const because = `although the ${branch.kind} notification was sent by ${order}`
  return (
    expectAcceptedOrBusy(sent) ?? checkRepeatedEffects(context, payment, { because, isUsualAtFirst: false })
  )
}
