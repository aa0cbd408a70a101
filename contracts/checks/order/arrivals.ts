import { retryOffsetsMs } from '../../../spec/delivery.ts'
import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import { finalPlaces, selectBranches, type Branch } from '../../toolkit/branches.ts'
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
import { named, shiftTimes } from '../../toolkit/messages.ts'
import { checkEffects, checkOutcomes, checkScenarios } from '../../toolkit/payment-outcome.ts'
import { ownMessages, playScenarios, reachMessages, type PlayedScenario } from '../../toolkit/scenario.ts'

export const arrivalChecks: readonly ReceiverCheck[] = [
  {
    id: 'order/documented-order',
    severity: 'must',
    requirement:
      'When notifications arrive in the documented order, the receiver acts once on each successful payment and on no failed payment.',
    lines: [15, 308, 309, 310, 311, 312, 313, 314, 315, 316],
    readings: ['realtime-payout-sequence', 'failed-direct-debit'],
    needs: ['effects'],
    meaning:
      'If the receiver does not handle a kind of payment, money moves but your platform does nothing. The platform never sends paid goods, and never books payouts.',
    remedy: 'For every kind of payment, act only when the object that carries the payment succeeds.',
    takesLong: true,
    async run(context) {
      const { branches, unobserved } = selectBranches(context, 'all')
      // Waits between deliveries, because a receiver may skip early states that it has not yet processed.
      const rests = true
      const scenarios = branches.map((branch) => ({ branch, sequence: documentedSequence(branch), rests }))
      return combineFindings(
        await checkOutcomes(context, await playScenarios(context, scenarios)),
        unobserved,
      )
    },
  },
  {
    id: 'order/final-then-earlier',
    severity: 'must',
    requirement: 'The receiver keeps a final state when earlier states arrive after it.',
    lines: [217, 297, 343],
    readings: ['realtime-payout-sequence', 'failed-direct-debit'],
    needs: ['effects'],
    meaning:
      'The retry of a failed delivery can arrive long after the payment has ended. A receiver that stores the last received state as the current state books a paid order as unpaid. The platform may collect the money again.',
    remedy:
      'Rank the states, and never go back from a final state. Or ask the service for the current state instead of trusting the notification.',
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
      'The fourth retry comes seven hours after the failure, and still shows the state at the time of the failure. An order that was paid in the meantime falls back to pending. The platform cancels the order or charges the customer again.',
    remedy:
      'Before you store a state, compare it with the stored state by rank or by updated_at. Do not use a rule that expires after a few minutes.',
    run: checkLateRetry,
  },
  {
    id: 'order/only-the-final-state',
    severity: 'must',
    requirement: 'The receiver acts on a final state even if no notification of an earlier state arrived.',
    lines: [235, 237, 310],
    readings: ['realtime-payout-sequence'],
    needs: ['effects'],
    meaning:
      "According to the service's document, some payouts cause a notification only at their end. A delivery can also be lost for good. A receiver that requires a notification of the first state never acts on the success.",
    remedy:
      'Any notification may be about an object that you do not know yet. Create your record of the object when its first notification arrives.',
    run: (context) => checkScenarios(context, selectBranches(context, 'all'), finalOnlySequences),
  },
]

/** With fewer notifications than this, the check tries every order. Otherwise, the check tries only forward and backward order. */
const MAX_PERMUTED = 3

function finalFirstSequences({ parts }: Branch): readonly Sequence[] {
  if (parts.length < 2) return []
  const places = [...parts.keys()]
  const last = places.filter((place) => parts[place]?.step === parts.at(-1)?.step)
  const orders = last.flatMap((first) => {
    const rest = places.filter((place) => place !== first)
    const rests = rest.length < MAX_PERMUTED ? permutations(rest) : [rest, rest.toReversed()]
    return rests.map((each) => [first, ...each])
  })
  return orders.map((order) => oneByOne(...order))
}

export function finalOnlySequences(branch: Branch): readonly Sequence[] {
  const last = finalPlaces(branch)
  return last.length === branch.parts.length ? [] : [oneByOne(...last)]
}

const LATE_MS = 7 * 3_600_000

async function checkLateRetry(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'all')
  const offsetsMs = retryOffsetsMs('webhooks', context.profile.readings).filter((ms) => ms >= LATE_MS)
  const scenarios = branches.flatMap((branch) => {
    const places = [...branch.parts.keys()]
    const early = places.filter((place) => branch.parts[place]?.step !== branch.parts.at(-1)?.step)
    return offsetsMs.flatMap((lateMs) =>
      early.map((late) => {
        const sequence = oneByOne(...places.filter((place) => place !== late))
        return { branch, late, lateMs, sequence }
      }),
    )
  })
  const played = await playScenarios(context, scenarios)
  for (const { branch, play } of played) await reachMessages(branch, play, branch.parts.length - 1)
  return combineFindings(await Promise.all(played.map((each) => sendLate(context, each))), unobserved)
}

async function sendLate(
  context: CheckContext,
  played: PlayedScenario & { readonly late: number; readonly lateMs: number },
): Promise<Finding | undefined> {
  const { branch, play, sequence, sent, late, lateMs } = played
  const message = ownMessages(branch, play)[late]
  const refused = expectAccepted(...sent)
  if (refused || !message) return refused
  const old = named(shiftTimes(message, lateMs), `${Math.floor(lateMs / 3_600_000)} hours late`)
  const because = `when the notifications of ${branch.kind} arrive as ${describeSequence(sequence, branch)}, then ${old.label}`
  return expectAccepted(await context.sendUntilAccepted(old)) ?? checkEffects(context, played, because)
}

export const anySequenceChecks: readonly ReceiverCheck[] = [
  {
    id: 'order/any-sequence',
    severity: 'must',
    requirement:
      "The receiver gets the same result if a payment's notifications arrive in any order and with any number of duplicates.",
    lines: [217, 297, 343, 344],
    readings: ['realtime-payout-sequence', 'failed-direct-debit', 'retry-body'],
    needs: ['effects'],
    meaning:
      'Retries, duplicates and lost notifications occur in any combination. If the order or number of notifications changes the result, your platform releases a payment twice, never, or wrongly.',
    remedy:
      "Treat every notification only as a reason to fetch the object from the service. Never move the object's state backward. Act once on success, and record the action under a unique key.",
    run: checkAnySequence,
  },
]

/** The number of random sequences for each payment kind and outcome. */
const DRAWS = 3

interface Drawn {
  readonly branch: Branch
  readonly order: readonly number[]
}

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

async function findFailures(context: CheckContext, drawn: readonly Drawn[]) {
  const scenarios = drawn.map(({ branch, order }) => ({ branch, sequence: oneByOne(...order) }))
  return checkOutcomes(context, await playScenarios(context, scenarios))
}

async function shrink(context: CheckContext, { branch, order }: Drawn, first: Failed): Promise<Finding> {
  const failures = new Map<string, Failed>()
  const isMeant = (candidate: readonly number[]) =>
    finalPlaces(branch).every((place) => candidate.includes(place))
  const failing = async (candidates: readonly (readonly number[])[]) => {
    const drawn = candidates.map((candidate) => ({ branch, order: candidate }))
    const findings = await findFailures(context, drawn)
    for (const [index, finding] of findings.entries())
      if (finding?.kind === 'failed') failures.set(String(candidates[index]), finding)
    return findings.map((finding) => finding?.kind === 'failed')
  }
  const shortest = await shortestFailing(order, failing, isMeant)
  const failure = failures.get(String(shortest)) ?? first
  const words = describeSequence(oneByOne(...shortest), branch)
  return {
    ...failure,
    actual: `${failure.actual}. The shortest sequence of ${branch.kind} that fails: ${words}`,
  }
}
