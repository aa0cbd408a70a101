import { retryOffsetsMs } from '../../../spec/delivery.ts'
import { earlierBy } from '../../toolkit/altered.ts'
import type { CheckContext, Notice, ReceiverCheck } from '../../toolkit/check-context.ts'
import { branchesOf, type Branch } from '../../toolkit/branches.ts'
import type { Finding } from '../../finding.ts'
import { acceptedAll } from '../../toolkit/judge.ts'
import { documented, inTurn, inWords, permutations } from '../../toolkit/sequences.ts'
import { summed } from '../../toolkit/summed.ts'
import { misacted, misjudged, reachNotices, tell, type Tale, type Told } from '../../toolkit/tell.ts'

export const arrivalChecks: readonly ReceiverCheck[] = [
  {
    id: 'order/documented-order',
    severity: 'must',
    requirement:
      'The receiver acts once on each payment that succeeds and on none that fails, told in the documented order.',
    lines: [308, 309, 310, 311, 312, 313, 314, 315, 316],
    readings: ['realtime-payout-sequence', 'failed-direct-debit'],
    needs: ['effects'],
    meaning:
      'A kind of payment that is not handled is money that moved without anything happening: goods that are paid for and never sent, payouts that are never booked.',
    remedy:
      'Act on the success of the object that carries the payment, for every kind, and on nothing else of it.',
    run: (context) => judged(context, branchesOf(context, 'all'), (branch) => [documented(branch)]),
  },
  {
    id: 'order/final-then-earlier',
    severity: 'must',
    requirement: 'The receiver keeps a final state when earlier ones arrive after it.',
    lines: [217, 297, 343],
    readings: ['realtime-payout-sequence', 'failed-direct-debit'],
    needs: ['effects'],
    meaning:
      'A delivery that failed comes again when the payment is long over. Who takes the last one to arrive for the present state books a paid order as unpaid, and may collect the money again.',
    remedy:
      'Rank the states, and never go back from a final one; or ask the service for the present state instead of believing the notification.',
    run: (context) => judged(context, branchesOf(context, 'all'), finalFirst),
  },
  {
    id: 'order/late-retry-of-early-state',
    severity: 'must',
    requirement: 'The receiver keeps a final state when the retry of an earlier one arrives hours later.',
    lines: [343, 344],
    readings: ['retry-window', 'retry-body'],
    needs: ['effects'],
    meaning:
      'The fourth retry comes seven hours after the failure, with the state of that time. An order that was paid in the meantime falls back to pending, and is cancelled or charged anew.',
    remedy:
      'Compare states by their rank, or by updated_at, before you store one; keep no rule that forgets after some minutes.',
    run: lateRetry,
  },
  {
    id: 'order/only-the-final-state',
    severity: 'must',
    requirement: 'The receiver acts on a final state of whose earlier states it never heard.',
    lines: [235, 237, 310],
    readings: ['realtime-payout-sequence'],
    needs: ['effects'],
    meaning:
      'The document itself shows payouts that are only told of at their end, and a delivery can be lost for good. Who needs the first step to know a payment never acts on its success.',
    remedy:
      'Take every notification for news of an object that may be new to you; create your record of it then.',
    run: (context) => judged(context, branchesOf(context, 'all'), onlyLast),
  },
]

type Branches = ReturnType<typeof branchesOf>

/** Every sequence of every branch on a payment of its own. */
export async function judged(
  context: CheckContext,
  { branches, unseen }: Branches,
  sequencesOf: (branch: Branch) => readonly Tale['sequence'][],
): Promise<Finding> {
  const tales = branches.flatMap((branch) => sequencesOf(branch).map((sequence) => ({ branch, sequence })))
  const told = await tell(context, tales)
  return summed(await Promise.all(told.map((each) => misjudged(context, each))), unseen)
}

/** Every order that begins with a part of the last step and has more after it. */
function finalFirst({ parts }: Branch): readonly Tale['sequence'][] {
  const last = parts.at(-1)?.step
  return permutations([...parts.keys()])
    .filter(([first = 0]) => parts.length > 1 && parts[first]?.step === last)
    .map((order) => inTurn(...order))
}

/** What is left when all that a later one tells of is lost; none if nothing can be lost. */
export function onlyLast({ parts }: Branch): readonly Tale['sequence'][] {
  const last = [...parts.keys()].filter((index) => parts[index]?.isLast)
  return last.length === parts.length ? [] : [inTurn(...last)]
}

const LATE_MS = 7 * 3_600_000

interface LateTale extends Tale {
  readonly late: number
  readonly lateMs: number
}

async function lateRetry(context: CheckContext): Promise<Finding> {
  const { branches, unseen } = branchesOf(context, 'all')
  const offsetsMs = retryOffsetsMs('webhooks', context.profile.readings).filter((ms) => ms >= LATE_MS)
  const tales = branches.flatMap((branch) => offsetsMs.flatMap((lateMs) => lateTales(branch, lateMs)))
  const told = await tell(context, tales)
  const late: LateDelivery[] = []
  for (const [index, each] of told.entries()) {
    const tale = tales[index]
    const notices = await reachNotices(each.branch, each.play, each.branch.parts.length - 1)
    const notice = tale && notices[tale.late]
    if (tale && notice) late.push({ told: each, notice, lateMs: tale.lateMs })
  }
  return summed(await Promise.all(late.map((each) => arrivingLate(context, each))), unseen)
}

/** One for each part before the last step, which is missing at first. */
function lateTales(branch: Branch, lateMs: number): readonly LateTale[] {
  const { parts } = branch
  const places = [...parts.keys()]
  return places
    .filter((late) => parts[late]?.step !== parts.at(-1)?.step)
    .map((late) => ({ branch, late, lateMs, sequence: inTurn(...places.filter((place) => place !== late)) }))
}

interface LateDelivery {
  readonly told: Told
  readonly notice: Notice
  readonly lateMs: number
}

async function arrivingLate(
  context: CheckContext,
  { told, notice, lateMs }: LateDelivery,
): Promise<Finding | undefined> {
  const { branch, sequence, sent } = told
  const hours = Math.floor(lateMs / 3_600_000)
  const refused = acceptedAll(...sent)
  if (refused) return refused
  const label = `${notice.label}, ${hours} hours late`
  const late = await context.sendUntilAccepted(earlierBy(notice, lateMs), { label })
  const because = `when ${branch.kind} is notified as ${inWords(sequence, branch)}, then ${label}`
  return acceptedAll(late) ?? misacted(context, told, because)
}
