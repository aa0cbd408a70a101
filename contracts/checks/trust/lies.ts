import { LIFECYCLES } from '../../../spec/generated/lifecycles.ts'
import { numberIn, withFields, withId } from '../../toolkit/altered.ts'
import type { CheckContext, EffectTarget, Notice, ReceiverCheck } from '../../toolkit/check-context.ts'
import { branchesOf, onePerType, type Branch } from '../../toolkit/branches.ts'
import { failed, unreachable, type Finding } from '../../finding.ts'
import { effectsOf, isAccepted, isReached, sentence, told } from '../../toolkit/judge.ts'
import { inTurn } from '../../toolkit/sequences.ts'
import { passed, summed } from '../../toolkit/summed.ts'
import { idle, misacted, tell, tellRest, type Told } from '../../toolkit/tell.ts'
import { lastPlayed, type Finished } from '../finished.ts'

export const lieChecks: readonly ReceiverCheck[] = [
  {
    id: 'trust/lying-body',
    severity: 'must',
    requirement:
      'The receiver acts on the state and the amount that the service shows, not on those of the notification.',
    lines: [283],
    readings: ['show-operations'],
    needs: ['effects'],
    negative: true,
    meaning:
      'Anybody who learns the URL can post "successful" for a payment of their own that is still processing, or ten times its amount, and is given goods or money for it.',
    remedy: 'Act on the fetched object alone; of the notification use no more than the type and the id.',
    run: lyingBody,
  },
  {
    id: 'trust/fabricated-id',
    severity: 'must',
    requirement: 'The receiver does not act on an object that the service does not know.',
    lines: [283],
    readings: ['object-errors'],
    needs: ['effects'],
    negative: true,
    meaning:
      'A payment that never existed is made up by whoever knows the URL: goods are released for nothing at all.',
    remedy: 'Fetch the object before you act; if the service answers 404, do nothing.',
    run: fabricatedId,
  },
  {
    id: 'trust/unknown-object',
    severity: 'should',
    requirement:
      'The receiver answers 2xx or 4xx to an id that nobody knows, and does not ask for it for ever.',
    lines: [283],
    readings: ['object-errors', 'request-limits'],
    uses: ['calls'],
    negative: true,
    meaning:
      'An error of its own makes the service send the same again for a day, and endless questions use up the calls that real payments need.',
    remedy: 'Take 404 for an answer: note it, answer the notification, and ask no more than a few times.',
    run: unknownObject,
  },
]

async function lyingBody(context: CheckContext): Promise<Finding> {
  const { branches, unseen } = branchesOf(context, 'good')
  const early = branches.flatMap((branch) => {
    const places = [...branch.parts.keys()].filter((index) => branch.parts[index]?.isLast === false)
    return places.length === 0 ? [] : [{ branch, sequence: inTurn(...places) }]
  })
  const tellings = await tell(context, early)
  const states = await Promise.all(tellings.map((each) => fooledByState(context, each)))
  const steady = tellings.filter((_, index) => states[index] === undefined)
  await tellRest(context, steady)
  const idlers = await Promise.all(steady.map((each) => idle(context, each)))
  const finished = await lastPlayed(context, branches)
  const amounts = await Promise.all(finished.map((each) => fooledByAmount(context, each)))
  return summed([...states.filter((each) => each !== undefined), ...idlers, ...amounts], unseen)
}

/** The service shows the payment under way; the notification says that it has succeeded. */
async function fooledByState(context: CheckContext, { branch, play }: Told): Promise<Finding | undefined> {
  const target = play.consequence
  const notice = play.notices.findLast(({ type, id }) => type === target?.type && id === target.id)
  // Not made before the success, as the deposit of a BPAY pay-in.
  if (!target || !notice) return undefined
  const label = `${target.type} ${branch.outcome}, a lie`
  const sent = await context.send({ ...withFields(notice, successOf(notice, branch)), label })
  if (!isReached(sent)) return unreachable(told(sent))
  const because = `which is ${notice.state} at the service, whatever the notification says`
  return effectsOf(context, target, { effects: 0, because })
}

/** What makes a body say that it has succeeded. Source: §3 */
function successOf({ type }: Notice, { outcome }: Branch): Readonly<Record<string, unknown>> {
  if (type === 'disbursements') return { state: outcome, npp_payout_state: outcome }
  return { state: outcome, status: LIFECYCLES.objects.batch_transactions.states.successful.code }
}

const TIMES = 10

async function fooledByAmount(context: CheckContext, finished: Finished): Promise<Finding | undefined> {
  const { branch, target, notice } = finished
  const amount = numberIn(notice, 'amount')
  if (amount === undefined) return undefined
  const lie = {
    ...withFields(notice, { amount: amount * TIMES }),
    label: `${notice.label} of ${amount * TIMES}, a lie`,
  }
  const sent = await context.send(lie)
  if (!isReached(sent)) return unreachable(told(sent))
  // Who refuses what is not as the service shows it has to be told the truth.
  const isHeard = isAccepted(sent) && (await context.effects.settle(target, 1)).effects > 0
  if (!isHeard) await context.sendUntilAccepted(notice)
  const found = await misacted(context, finished, `when ${branch.kind} is notified with a wrong amount`)
  if (found) return found
  const seen = await context.effects.read(target)
  if (seen.amount === undefined) return passed('The amounts that it acts on were not seen')
  const expected = `an effect of ${amount} for ${target.type} ${target.id}, whatever the notification says`
  return seen.amount === amount ? undefined : failed(expected, sentence(seen))
}

interface Invented {
  readonly notice: Notice
  readonly target: EffectTarget
}

/** One for each type of object, like a real one in everything but the id. */
async function invented(
  context: CheckContext,
): Promise<{ all: readonly Invented[]; unseen: string | undefined }> {
  const { branches, unseen } = branchesOf(context, 'good')
  const finished = await lastPlayed(context, onePerType(branches))
  const all = finished.map(({ notice }) => {
    const made = withId(notice, context.world.newId())
    return {
      notice: { ...made, label: `${notice.label}, made up` },
      target: { type: made.type, id: made.id },
    }
  })
  return { all, unseen }
}

async function fabricatedId(context: CheckContext): Promise<Finding> {
  const { all, unseen } = await invented(context)
  const parts = await Promise.all(
    all.map(async ({ notice, target }) => {
      const sent = await context.send(notice)
      if (!isReached(sent)) return unreachable(told(sent))
      return effectsOf(context, target, { effects: 0, because: 'which the service does not know' })
    }),
  )
  return summed(parts, unseen)
}

const MOST_CALLS = 10

async function unknownObject(context: CheckContext): Promise<Finding> {
  const { all, unseen } = await invented(context)
  const parts = await Promise.all(all.map((each) => upsetBy(context, each)))
  return summed(parts, context.calls.observable ? unseen : 'How often it asks for the object was not seen')
}

async function upsetBy(context: CheckContext, { notice, target }: Invented): Promise<Finding | undefined> {
  const sent = await context.send(notice)
  if (!isReached(sent)) return unreachable(told(sent))
  const { status } = sent
  const isOrderly = status !== null && ((status >= 200 && status < 300) || (status >= 400 && status < 500))
  if (!isOrderly) return failed('an answer from 200 to 299 or from 400 to 499', told(sent))
  if (!context.calls.observable) return undefined
  const calls = await context.calls.settleAtMost(target, MOST_CALLS)
  if (calls.length <= MOST_CALLS) return undefined
  return failed(`at most ${MOST_CALLS} calls for ${target.type} ${target.id}`, `${calls.length} calls for it`)
}
