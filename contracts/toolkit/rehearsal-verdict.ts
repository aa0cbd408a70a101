import type { CheckContext } from './check-context.ts'
import { expectAccepted, expectEffects, expectState, formatEffectCount } from './expectations.ts'
import { companionObjects } from './payment-outcome.ts'
import { describeDeliveries } from './rehearsal-order.ts'
import type { PlayedRehearsal } from './rehearsal.ts'
import { ownMessages } from './scenario.ts'
import {
  combineFindings,
  failed,
  notObservable,
  passedExcept,
  withSymptom,
  type Failed,
  type Finding,
  type ObjectRef,
} from '../finding.ts'

/** What the answers say and, as far as they are observable, what was done. It is passed only where somebody looked. */
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
  if (!consequence) return notObservable(`${answers}; ${branch.kind} has not come to what is acted on`)
  const because = `when ${branch.kind} is notified as ${describeDeliveries(deliveries, branch)}`
  const companions = companionObjects(branch, played.play)
  const about = `for your receiver acts on ${consequence.type} ${consequence.id} of the same payment, ${because}`
  const findings = await Promise.all([
    checkConsequence(context, { ...played, consequence, because }),
    ...companions.map((object) =>
      expectEffects(context, object, { effects: 0, because: about, isLast: true }),
    ),
  ])
  const finding = combineFindings(findings.map((each) => each ?? passedExcept()))
  return finding.kind === 'failed'
    ? { ...finding, evidence: { objects: [consequence, ...companions] } }
    : finding
}

/** Why its effects cannot be judged; undefined if they can. */
export function describeBlindness(
  obstacle: string | undefined,
  { observable }: Pick<CheckContext['effects'], 'observable'>,
): string | undefined {
  return obstacle ?? (observable ? undefined : UNSEEN_EFFECTS)
}

const UNSEEN_EFFECTS =
  'what your platform did about it is not known: set effects.http, effects.command, effects.function or effects.sink'

/** What tells one failure from another: fewer deliveries must fail in the same way. */
export function failureName({ symptom, evidence }: Failed): string {
  return symptom ?? (evidence.exchanges && evidence.exchanges.length > 0 ? 'answer' : 'state')
}

interface JudgedRehearsal extends PlayedRehearsal {
  readonly consequence: ObjectRef
  readonly because: string
}

async function checkConsequence(
  context: CheckContext,
  rehearsal: JudgedRehearsal,
): Promise<Finding | undefined> {
  const { branch, play, arrivals, consequence, because } = rehearsal
  const { deciding = -1 } = branch
  const isKnown = arrivals.some(({ place }) => place === deciding)
  const isReached = deciding >= 0 && ownMessages(branch, play).length > deciding
  if (!isReached)
    return (
      (await expectEffects(context, consequence, { effects: 0, because })) ?? checkState(context, rehearsal)
    )
  if (!isKnown) return checkUnknownSuccess(context, rehearsal)
  return (
    (await expectEffects(context, consequence, { effects: 1, because })) ?? checkState(context, rehearsal)
  )
}

/** Who asks the service may know of a success whose notification never came; who does not cannot. */
async function checkUnknownSuccess(
  context: CheckContext,
  { branch, consequence, because }: JudgedRehearsal,
): Promise<Finding | undefined> {
  const { effects } = await context.effects.settle(consequence, 0)
  const seen = effects === 0 ? effects : (await context.effects.settle(consequence, 1)).effects
  if (seen > 1) {
    const expected = `at most one effect for ${consequence.type} ${consequence.id}, ${because}`
    return withSymptom(failed(expected, formatEffectCount(seen), { objects: [consequence] }), seen, 1)
  }
  const part = branch.parts[branch.deciding ?? -1]
  return passedExcept(
    `${part?.type} ${part?.state}, which your platform acts on, never arrived: it had ${formatEffectCount(seen)}, and either is right`,
  )
}

/** Only where the last that happened to it has arrived, too. */
async function checkState(
  context: CheckContext,
  { branch, play, arrivals, consequence, because }: JudgedRehearsal,
): Promise<Finding | undefined> {
  const messages = ownMessages(branch, play)
  const last = messages.findLastIndex(({ type, id }) => type === consequence.type && id === consequence.id)
  const state = messages[last]?.state ?? null
  if (state === null || arrivals.every(({ place }) => place !== last)) return undefined
  return expectState(context, consequence, { state, because })
}
