import {
  combineFindings,
  controlFailed,
  notObservable,
  type Exchange,
  type Finding,
  type ObjectRef,
} from '../finding.ts'
import type { Branch, Branches } from './branches.ts'
import type { CheckContext, Message, Play } from './check-context.ts'
import {
  describeEffects,
  expectAccepted,
  expectEffects,
  expectEffectsAndState,
  requireAccepted,
} from './expectations.ts'
import { playToSuccess, type PaymentToNotify } from './expected-effect.ts'
import { ownMessages, playScenarios, type PlayedScenario } from './scenario.ts'
import { describeSequence, type Sequence } from './sequences.ts'

/** A payment whose messages the receiver has been sent. */
interface PlayedPayment {
  readonly branch: Branch
  readonly play: Play
}

/** Plays every sequence of every branch on a payment of its own, and checks what came of it. */
export async function checkScenarios(
  context: CheckContext,
  { branches, unobserved }: Branches,
  sequencesFor: (branch: Branch) => readonly Sequence[],
): Promise<Finding> {
  const scenarios = branches.flatMap((branch) =>
    sequencesFor(branch).map((sequence) => ({ branch, sequence })),
  )
  return combineFindings(await checkOutcomes(context, await playScenarios(context, scenarios)), unobserved)
}

export function checkOutcomes(
  context: CheckContext,
  played: readonly PlayedScenario[],
): Promise<(Finding | undefined)[]> {
  return Promise.all(played.map((scenario) => checkOutcome(context, scenario)))
}

/** What is wrong after a payment was notified to its end; undefined if nothing is. */
export async function checkOutcome(
  context: CheckContext,
  scenario: PlayedScenario,
): Promise<Finding | undefined> {
  const { branch, sequence, sent } = scenario
  const refused = expectAccepted(...sent)
  if (refused) return refused
  if (sent.length < sequence.flat().length)
    return notObservable(`Not all notifications of ${branch.kind} could be sent`)
  const because = `when ${branch.kind} is notified as ${describeSequence(sequence, branch)}`
  return checkEffects(context, scenario, because)
}

/** The same for a payment that is over, however it was notified: its effects, and the state that is believed. */
export async function checkEffects(
  context: CheckContext,
  { branch, play }: PlayedPayment,
  because: string,
): Promise<Finding | undefined> {
  if (!context.effects.observable) return undefined
  const { consequence } = play
  if (!consequence)
    return notObservable(`No notification of ${branch.kind} is about the object that your platform acts on`)
  const state = lastMessageAbout(play, consequence)?.state ?? branch.outcome
  const companionBecause = `for your receiver acts on ${consequence.type} ${consequence.id} of the same payment, ${because}`
  const companions = companionObjects(branch, play)
  const findings = await Promise.all([
    expectEffectsAndState(context, consequence, { effects: branch.effects, state, because }),
    ...companions.map((object) =>
      expectEffects(context, object, { effects: 0, because: companionBecause, isLast: true }),
    ),
  ])
  const finding = findings.find((each) => each !== undefined)
  if (finding?.kind !== 'failed') return finding
  const deciding = finding.evidence.objects ?? []
  const isDeciding = ({ type, id }: ObjectRef) =>
    deciding.some((each) => each.type === type && each.id === id)
  const others = [consequence, ...companions].filter((object) => !isDeciding(object))
  return { ...finding, evidence: { objects: [...deciding, ...others] } }
}

/**
 * Notifies once more of a payment that was acted on, and checks that it is not acted on again. A page that counts in memory has
 * begun anew if the receiver was started since: then what it counts from here on is what it did again.
 */
export async function checkRepetition(
  context: CheckContext,
  payment: PaymentToNotify,
  { notify, because }: { readonly notify: () => Promise<readonly Exchange[]>; readonly because: string },
): Promise<Finding | undefined> {
  const { target, branch } = payment
  const { effects } = await context.effects.read(target)
  const refused = expectAccepted(...(await notify()))
  if (refused || effects >= branch.effects) return refused ?? checkEffects(context, payment, because)
  const counted = `${because}; its effects are counted from zero since its start`
  return expectEffects(context, target, { effects, because: counted })
}

/** That a receiver did nothing says something only if it acts once the payment has truly succeeded. */
export async function requireEffects(
  context: CheckContext,
  payment: PlayedPayment,
): Promise<Finding | undefined> {
  const finding = await checkEffects(context, payment, `when ${payment.branch.kind} has succeeded`)
  if (finding?.kind !== 'failed') return finding
  const why = `expected ${finding.expected}, but there was ${finding.actual}`
  const { symptom } = finding
  return controlFailed(why, finding.evidence, { ...(symptom && { symptom }) })
}

/** What else a payment notifies the receiver of, each object once. */
export function companionObjects(branch: Branch, play: Play): readonly ObjectRef[] {
  const { consequence } = play
  const byId = new Map(ownMessages(branch, play).map(({ type, id }) => [`${type} ${id}`, { type, id }]))
  byId.delete(`${consequence?.type} ${consequence?.id}`)
  return [...byId.values()]
}

/** The last message of the payment about this object: it has the state that the object ends in. */
function lastMessageAbout(
  { messages }: Pick<Play, 'messages'>,
  object: ObjectRef | undefined,
): Message | undefined {
  return messages.findLast(({ type, id }) => type === object?.type && id === object.id)
}

interface Repetition {
  readonly because: string
  /** Whether the first delivery was as usual; otherwise another payment shows whether that is acted on. */
  readonly isUsualAtFirst: boolean
}

/** These tell why nothing is done about a payment that is notified once, as usual. */
const TELLING = ['order/documented-order', 'order/only-the-final-state'] as const

/**
 * What is wrong after a payment was notified more than once. That nothing was done says something only of a receiver that acts
 * on one that is notified once: otherwise it is inconclusive.
 */
export async function checkRepeatedEffects(
  context: CheckContext,
  payment: PlayedPayment,
  { because, isUsualAtFirst }: Repetition,
): Promise<Finding | undefined> {
  const finding = await checkEffects(context, payment, because)
  const target = payment.play.consequence
  if (finding?.kind !== 'failed' || !target || payment.branch.effects === 0) return finding
  const { effects } = await context.effects.read(target)
  if (effects > 0) return finding
  if (isUsualAtFirst) {
    const why = `${target.type} ${target.id} had no effect the first time, so a repetition says nothing`
    return controlFailed(why, finding.evidence, { see: TELLING })
  }
  return (await requireUsualEffect(context, payment)) ?? finding
}

/** Inconclusive if a payment of the kind that is notified once is not acted on. */
async function requireUsualEffect(
  context: CheckContext,
  { branch }: PlayedPayment,
): Promise<Finding | undefined> {
  const [control] = await playToSuccess(context, [branch])
  if (!control) return undefined
  const { message, target } = control
  const label = `${message.label}, as usual`
  const sent = await context.sendUntilAccepted(message, { label, role: 'control' })
  const refused = requireAccepted(sent)
  if (refused) return refused
  const seen = await context.effects.settle(target, 1)
  if (seen.effects > 0) return undefined
  const why = `notified once, as usual, ${target.type} ${target.id} had ${describeEffects(seen)}`
  return controlFailed(why, { exchanges: [sent], objects: [target] }, { see: TELLING })
}
