import { retryOffsetsMs } from '../../../spec/delivery.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { selectBranches, type Branch } from '../../toolkit/branches.ts'
import {
  documentedSequence,
  oneByOne,
  describeSequence,
  permutations,
  drawSequence,
  shortestFailing,
  type Sequence,
} from '../../toolkit/sequences.ts'
import { combineFindings, type Finding, type Failed } from '../../finding.ts'
import { expectAccepted } from '../../toolkit/expectations.ts'
import { shiftTimes } from '../../toolkit/messages.ts'
import { checkEffects, checkOutcomes, checkScenarios } from '../../toolkit/payment-outcome.ts'
import { playScenarios, reachMessages, type PlayedScenario, type Scenario } from '../../toolkit/scenario.ts'

export const arrivalChecks: readonly ReceiverCheck[] = [
  {
    id: 'order/documented-order',
    severity: 'must',
    requirement:
      'The receiver acts once on each successful payment and on no failed payment, in the documented order of notifications.',
    lines: [15, 308, 309, 310, 311, 312, 313, 314, 315, 316],
    readings: ['realtime-payout-sequence', 'failed-direct-debit'],
    needs: ['effects'],
    meaning:
      'If a kind of payment is not handled, money moves and nothing happens. Paid goods are never sent, and payouts are never booked.',
    remedy:
      'For every kind of payment, act on the success of the object that carries the payment, and on nothing else.',
    takesLong: true,
    run: checkDocumentedOrder,
  },
  {
    id: 'order/final-then-earlier',
    severity: 'must',
    requirement: 'The receiver keeps a final state when earlier states arrive after it.',
    lines: [217, 297, 343],
    readings: ['realtime-payout-sequence', 'failed-direct-debit'],
    needs: ['effects'],
    meaning:
      'A failed delivery comes again when the payment is long over. A receiver that stores the last arrival as the present state books a paid order as unpaid. It may collect the money again.',
    remedy:
      'Rank the states, and never go back from a final state. Or ask the service for the present state instead of believing the notification.',
    run: (context) => checkScenarios(context, selectBranches(context, 'all'), finalFirstSequences),
  },
  {
    id: 'order/late-retry-of-early-state',
    severity: 'must',
    requirement: 'The receiver keeps a final state when the retry of an earlier state arrives hours later.',
    lines: [343, 344],
    readings: ['retry-window', 'retry-body'],
    needs: ['effects'],
    meaning:
      'The fourth retry comes seven hours after the failure, with the state of that time. An order that was paid since then falls back to pending. It is cancelled or charged again.',
    remedy:
      'Compare states by their rank, or by updated_at, before you store one. Keep no rule that expires after some minutes.',
    run: checkLateRetry,
  },
  {
    id: 'order/only-the-final-state',
    severity: 'must',
    requirement: 'The receiver acts on a final state whose earlier states were never notified.',
    lines: [235, 237, 310],
    readings: ['realtime-payout-sequence'],
    needs: ['effects'],
    meaning:
      'The document shows payouts that are notified only at their end, and a delivery can be lost for good. A receiver that needs the first step never acts on the success.',
    remedy:
      'Every notification may concern an object that is new to you. Create your record of the object then.',
    run: (context) => checkScenarios(context, selectBranches(context, 'all'), finalOnlySequences),
  },
]

/** Longer branches have too many orders. */
const MOST_PERMUTED = 3

/** Orders that begin with a part of the last step. Long ones come only forwards and backwards. */
function finalFirstSequences({ parts }: Branch): readonly Sequence[] {
  if (parts.length < 2) return []
  const places = [...parts.keys()]
  const last = places.filter((place) => parts[place]?.step === parts.at(-1)?.step)
  const orders = last.flatMap((first) => {
    const rest = places.filter((place) => place !== first)
    const rests = rest.length < MOST_PERMUTED ? permutations(rest) : [rest, rest.toReversed()]
    return rests.map((each) => [first, ...each])
  })
  return orders.map((order) => oneByOne(...order))
}

/** Returns the orders in which every earlier part is lost. */
export function finalOnlySequences({ parts }: Branch): readonly Sequence[] {
  const last = [...parts.keys()].filter((index) => parts[index]?.isLast)
  return last.length === parts.length ? [] : [oneByOne(...last)]
}

async function checkDocumentedOrder(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'all')
  // A receiver that processes several states at once never sees the early one.
  const scenarios = branches.map((branch) => ({
    branch,
    sequence: documentedSequence(branch),
    rests: true as const,
  }))
  return combineFindings(await checkOutcomes(context, await playScenarios(context, scenarios)), unobserved)
}

const LATE_MS = 7 * 3_600_000

interface LateScenario extends Scenario {
  readonly late: number
  readonly lateMs: number
}

async function checkLateRetry(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'all')
  const offsetsMs = retryOffsetsMs('webhooks', context.profile.readings).filter((ms) => ms >= LATE_MS)
  const scenarios = branches.flatMap((branch) => offsetsMs.flatMap((lateMs) => lateScenarios(branch, lateMs)))
  const played = await playScenarios(context, scenarios)
  const late: LateDelivery[] = []
  for (const [index, each] of played.entries()) {
    const scenario = scenarios[index]
    const messages = await reachMessages(each.branch, each.play, each.branch.parts.length - 1)
    const message = scenario && messages[scenario.late]
    if (scenario && message) late.push({ played: each, message, lateMs: scenario.lateMs })
  }
  return combineFindings(await Promise.all(late.map((each) => sendLate(context, each))), unobserved)
}

/** Returns one scenario for each part that is missing at first. */
function lateScenarios(branch: Branch, lateMs: number): readonly LateScenario[] {
  const { parts } = branch
  const places = [...parts.keys()]
  return places
    .filter((late) => parts[late]?.step !== parts.at(-1)?.step)
    .map((late) => ({
      branch,
      late,
      lateMs,
      sequence: oneByOne(...places.filter((place) => place !== late)),
    }))
}

interface LateDelivery {
  readonly played: PlayedScenario
  readonly message: Message
  readonly lateMs: number
}

async function sendLate(
  context: CheckContext,
  { played, message, lateMs }: LateDelivery,
): Promise<Finding | undefined> {
  const { branch, sequence, sent } = played
  const hours = Math.floor(lateMs / 3_600_000)
  const refused = expectAccepted(...sent)
  if (refused) return refused
  const label = `${message.label}, ${hours} hours late`
  const late = await context.sendUntilAccepted(shiftTimes(message, lateMs), { label })
  const because = `when ${branch.kind} is notified as ${describeSequence(sequence, branch)}, then ${label}`
  return expectAccepted(late) ?? checkEffects(context, played, because)
}

export const anySequenceCheck: ReceiverCheck = {
  id: 'order/any-sequence',
  severity: 'must',
  requirement:
    'The receiver gets the same result from the notifications of a payment in any order and with any number of duplicates.',
  lines: [217, 297, 343, 344],
  readings: ['realtime-payout-sequence', 'failed-direct-debit', 'retry-body'],
  needs: ['effects'],
  meaning:
    'Retries, duplicates and losses come in unexpected mixtures. In each mixture with another result, a payment is released twice, never, or wrongly.',
  remedy:
    'Take every notification as a reason to ask the service for the object. Move forward only, and act once on success, by a unique key.',
  run: checkAnySequence,
}

/** The number of drawn sequences for each kind and outcome. */
const DRAWS = 3

async function checkAnySequence(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'all')
  const drawn = branches.flatMap((branch) =>
    Array.from({ length: DRAWS }, () => ({ branch, order: drawSequence(branch, context.random) })),
  )
  const findings = await findFailures(context, drawn)
  const finding = combineFindings(findings, unobserved)
  if (finding.kind !== 'failed') return finding
  const first = drawn[findings.findIndex((each) => each?.kind === 'failed')]
  return first ? shrink(context, first, finding) : finding
}

interface Drawn {
  readonly branch: Branch
  readonly order: readonly number[]
}

async function findFailures(
  context: CheckContext,
  drawn: readonly Drawn[],
): Promise<readonly (Finding | undefined)[]> {
  const played = await playScenarios(
    context,
    drawn.map(({ branch, order }) => ({ branch, sequence: oneByOne(...order) })),
  )
  return checkOutcomes(context, played)
}

/** Reports the last failure, or the first one if it did not repeat. */
async function shrink(context: CheckContext, { branch, order }: Drawn, first: Failed): Promise<Finding> {
  const needed = [...branch.parts.keys()].filter((index) => branch.parts[index]?.isLast)
  const failures = new Map<string, Failed>()
  const shortest = await shortestFailing(order, needed, async (candidates) => {
    const findings = await findFailures(
      context,
      candidates.map((candidate) => ({ branch, order: candidate })),
    )
    for (const [index, finding] of findings.entries())
      if (finding?.kind === 'failed') failures.set(String(candidates[index]), finding)
    return findings.map((finding) => finding?.kind === 'failed')
  })
  const failure = failures.get(String(shortest)) ?? first
  const words = describeSequence(oneByOne(...shortest), branch)
  return {
    ...failure,
    actual: `${failure.actual}. The shortest sequence of ${branch.kind} that fails: ${words}`,
  }
}
