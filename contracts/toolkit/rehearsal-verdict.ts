import {
  combineFindings,
  failed,
  isSameObject,
  notObservable,
  passedExcept,
  withSymptom,
  type Failed,
  type Finding,
  type ObjectRef,
} from '../finding.ts'
import type { CheckContext } from './check-context.ts'
import { expectAccepted, expectEffects, formatEffectCount } from './expectations.ts'
import { companionObjects, expectIdleCompanions } from './payment-outcome.ts'
import { describeDeliveries, withoutOneMark } from './rehearsal-plan.ts'
import { ownMessages, type PlayedRehearsal } from './scenario.ts'
import { shortestFailing } from './sequences.ts'
import type { RehearsalDelivery } from '../../spec/generated/control-types.ts'

/** Judges a rehearsal. The rehearsal passes only if effects were observed. */
export async function checkRehearsal(
  context: CheckContext,
  played: PlayedRehearsal,
  obstacle: string | undefined,
): Promise<Finding> {
  const { arrivals, deliveries, branch } = played
  const refused = expectAccepted(...arrivals.map(({ exchange }) => exchange))
  if (refused) return refused
  const answers = arrivals.length === 0 ? 'Nothing arrived' : 'Every delivery was accepted'
  const blind = describeBlindness(obstacle, context.effects)
  if (blind !== undefined) return notObservable(`${answers}; ${blind}`)
  const { consequence } = played.play
  if (!consequence)
    return notObservable(
      `${answers}. These notifications of ${branch.kind} are not about the object that your platform acts on`,
    )
  const because = `when the notifications of ${branch.kind} arrive as ${describeDeliveries(deliveries, branch)}`
  const findings = await Promise.all([
    checkConsequence(context, { ...played, consequence, because }),
    ...expectIdleCompanions(context, played, because),
  ])
  const finding = combineFindings(findings.map((each) => each ?? passedExcept()))
  return finding.kind === 'failed'
    ? { ...finding, evidence: { objects: [consequence, ...companionObjects(branch, played.play)] } }
    : finding
}

export function describeBlindness(
  obstacle: string | undefined,
  { observable }: Pick<CheckContext['effects'], 'observable'>,
): string | undefined {
  return obstacle ?? (observable ? undefined : UNSEEN_EFFECTS)
}

const UNSEEN_EFFECTS =
  'the configuration has no "effects". Set effects.http in hookbench.config.yaml to a page that counts the effects, such as http://127.0.0.1:9444/effects/{object_type}/{id}'

/** Returns the kind of a failure. A shorter order must fail in the same way to replace the original. */
function failureName({ symptom, evidence }: Failed): string {
  return symptom ?? (evidence.exchanges && evidence.exchanges.length > 0 ? 'answer' : 'state')
}

interface JudgedRehearsal extends PlayedRehearsal {
  readonly consequence: ObjectRef
  readonly because: string
}

async function checkConsequence(context: CheckContext, rehearsal: JudgedRehearsal) {
  const { branch, play, arrivals, consequence, because } = rehearsal
  const { deciding = -1 } = branch
  const isReached = deciding >= 0 && ownMessages(branch, play).length > deciding
  if (isReached && arrivals.every(({ place }) => place !== deciding))
    return checkUnknownSuccess(context, rehearsal)
  // If the last notification has arrived, the receiver must report the state of this notification.
  const messages = ownMessages(branch, play)
  const last = messages.findLastIndex((message) => isSameObject(message, consequence))
  const isTold = arrivals.some(({ place }) => place === last)
  const state = isTold ? (messages[last]?.state ?? undefined) : undefined
  if (!isReached) await context.effects.settle(consequence, 0)
  return expectEffects(context, consequence, { effects: isReached ? 1 : 0, state, because, isLast: true })
}

/** Judges a payment with a lost success notification. A receiver that calls back can still detect the success. */
async function checkUnknownSuccess(context: CheckContext, { branch, consequence, because }: JudgedRehearsal) {
  const { effects } = await context.effects.settle(consequence, 0)
  const seen = effects === 0 ? effects : (await context.effects.settle(consequence, 1)).effects
  if (seen > 1) {
    const expected = `at most one effect for ${consequence.type} ${consequence.id}, ${because}`
    return withSymptom(failed(expected, formatEffectCount(seen), { objects: [consequence] }), seen, 1)
  }
  const part = branch.parts[branch.deciding ?? -1]
  return passedExcept(
    `${part?.type} ${part?.state}, which your platform acts on, never arrived. The receiver showed ${formatEffectCount(seen)}, and both one effect and no effect are correct`,
  )
}

type Order = readonly RehearsalDelivery[]

/** Plays each order with a new payment, and returns the findings. */
type FindOrders = (orders: readonly Order[]) => Promise<readonly Finding[]>

const MAX_ROUNDS = 30

/** Returns the shortest order that fails in the same way. If the order is long, removes one delivery at a time. */
export async function shrinkOrder(order: Order, failure: Failed, find: FindOrders): Promise<Order> {
  const name = failureName(failure)
  const failing = async (orders: readonly Order[]) =>
    (await find(orders)).map((finding) => finding.kind === 'failed' && failureName(finding) === name)
  return simplify(await shortestFailing(order, failing), failing)
}

async function simplify(order: Order, failing: (orders: readonly Order[]) => Promise<readonly boolean[]>) {
  let simplest = order
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const candidates = simplerOrders(simplest)
    const fails = candidates.length === 0 ? [] : await failing(candidates)
    const found = candidates.find((_, index) => fails[index])
    if (!found) return simplest
    simplest = found
  }
  return simplest
}

function simplerOrders(order: Order): readonly Order[] {
  const shorter = order.length === 1 ? [] : order.map((_, place) => order.toSpliced(place, 1))
  const plainer = order.flatMap((delivery, place) =>
    withoutOneMark(delivery).map((plain) => order.with(place, plain)),
  )
  return [...shorter, ...plainer]
}
