import {
  combineFindings,
  controlFailed,
  isSameObject,
  notObservable,
  type Exchange,
  type Finding,
  type ObjectRef,
} from '../finding.ts'
import { earlyPlaces, onePerType, selectBranches, type Branch, type Branches } from './branches.ts'
import type { CheckContext, Message, Play, ServiceFault } from './check-context.ts'
import {
  describeEffects,
  expectAccepted,
  expectEffects,
  requireAccepted,
  requireReached,
} from './expectations.ts'
import { playToSuccess, type PaymentToNotify } from './expected-effect.ts'
import { named } from './messages.ts'
import {
  finishScenarios,
  lastAboutConsequence,
  ownMessages,
  playScenarios,
  type PlayedScenario,
} from './scenario.ts'
import { describeSequence, oneByOne, type Sequence } from './sequences.ts'

type PlayedPayment = Pick<PaymentToNotify, 'branch' | 'play'>

export async function checkPayments(
  context: CheckContext,
  judge: (payment: PaymentToNotify, index: number) => Promise<Finding | undefined>,
  choose: (branches: readonly Branch[]) => readonly Branch[] = onePerType,
): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const payments = await playToSuccess(context, choose(branches))
  return combineFindings(await Promise.all(payments.map(judge)), unobserved)
}

/** Notifies the receiver of successful payments. `acted` contains the payments that had an effect. */
export async function sendFirst(
  context: CheckContext,
  payments: readonly PaymentToNotify[],
  dress = (message: Message) => message,
) {
  const firsts = await Promise.all(
    payments.map(async (each) => {
      const sent = await context.send(dress(each.message))
      return requireAccepted(sent) ?? requireEffects(context, each)
    }),
  )
  return { firsts, acted: payments.filter((_, index) => firsts[index] === undefined) }
}

interface Trouble {
  readonly fault: ServiceFault
  /** The text after the label of the message, such as "while the service fails". */
  readonly name: string
  /** Called after the first call of the receiver. The fault lasts until the returned promise resolves. */
  readonly until?: () => Promise<unknown>
}

/** Sends a notification while calls to the service fail. `blind` is a finding if the receiver was not reached or made no call. */
export async function sendDuring(
  context: CheckContext,
  { target, message, branch }: PaymentToNotify,
  { fault, name, until }: Trouble,
) {
  const trouble = await context.service.disturb(target, fault)
  const sending = context.send(named(message, name))
  // Does not wait for the response if the call hangs, because a receiver may respond only after its call ends.
  if (fault.kind !== 'hang') await sending
  const calls = await context.calls.settle(target)
  await until?.()
  await trouble.stop()
  const sent = await sending
  const isAsked = calls.length > 0
  const why = `the receiver did not ask for the ${target.type} of ${branch.kind}`
  const blind = isAsked ? undefined : notObservable(why)
  return { sent, blind: requireReached(sent) ?? blind }
}

export async function checkScenarios(
  context: CheckContext,
  { branches, unobserved }: Branches,
  sequencesFor: (branch: Branch) => readonly Sequence[],
): Promise<Finding> {
  const scenarios = branches.flatMap((branch) =>
    sequencesFor(branch).map((sequence) => ({ branch, sequence })),
  )
  const played = await playScenarios(context, scenarios)
  return combineFindings(await checkOutcomes(context, played), unobserved)
}

/** Judges payments before they succeed, then completes them. Omits payment kinds that send no notification before success. */
export async function checkBeforeSuccess(
  context: CheckContext,
  { branches }: Branches,
  judge: (played: PlayedScenario) => Promise<Finding | undefined>,
): Promise<readonly (Finding | undefined)[]> {
  const early = branches.map((branch) => ({ branch, sequence: oneByOne(...earlyPlaces(branch)) }))
  const played = await playScenarios(
    context,
    early.filter(({ sequence }) => sequence.length > 0),
  )
  const findings = await Promise.all(played.map(judge))
  const patient = played.filter((_, index) => findings[index] === undefined)
  await finishScenarios(context, patient)
  const late = await Promise.all(patient.map((each) => requireEffects(context, each)))
  return [...findings.filter((finding) => finding !== undefined), ...late]
}

export function checkOutcomes(
  context: CheckContext,
  played: readonly PlayedScenario[],
): Promise<(Finding | undefined)[]> {
  return Promise.all(played.map((scenario) => checkOutcome(context, scenario)))
}

export async function checkOutcome(
  context: CheckContext,
  scenario: PlayedScenario,
): Promise<Finding | undefined> {
  const { branch, sequence, sent } = scenario
  const refused = expectAccepted(...sent)
  if (refused) return refused
  if (sent.length < sequence.flat().length)
    return notObservable(`some notifications of ${branch.kind} could not be sent`)
  const because = `when the notifications of ${branch.kind} arrive as ${describeSequence(sequence, branch)}`
  return checkEffects(context, scenario, because)
}

export async function checkEffects(
  context: CheckContext,
  { branch, play }: PlayedPayment,
  because: string,
): Promise<Finding | undefined> {
  if (!context.effects.observable) return undefined
  const { consequence } = play
  if (!consequence)
    return notObservable(`no notification of ${branch.kind} is about the object that your platform acts on`)
  const state = lastAboutConsequence(play)?.state ?? branch.outcome
  const companions = companionObjects(branch, play)
  const findings = await Promise.all([
    expectEffects(context, consequence, { effects: branch.effects, state, because }),
    ...expectIdleCompanions(context, { branch, play }, because),
  ])
  const finding = findings.find((each) => each !== undefined)
  if (finding?.kind !== 'failed') return finding
  const deciding = finding.evidence.objects ?? []
  const others = [consequence, ...companions].filter(
    (object) => !deciding.some((each) => isSameObject(each, object)),
  )
  return { ...finding, evidence: { objects: [...deciding, ...others] } }
}

/** Fails if a repeated notification has a second effect. Allows for a receiver that counts effects from zero after a restart. */
export async function checkRepetition(
  context: CheckContext,
  payment: PaymentToNotify,
  { notify, because }: { readonly notify: () => Promise<readonly Exchange[]>; readonly because: string },
): Promise<Finding | undefined> {
  const { target, branch } = payment
  const { effects } = await context.effects.read(target)
  const refused = expectAccepted(...(await notify()))
  if (refused || effects >= branch.effects) return refused ?? checkEffects(context, payment, because)
  const counted = `${because}. The receiver has counted its effects from zero since its last start`
  return expectEffects(context, target, { effects, because: counted })
}

export async function requireEffects(
  context: CheckContext,
  payment: PlayedPayment,
): Promise<Finding | undefined> {
  const finding = await checkEffects(context, payment, `when ${payment.branch.kind} has succeeded`)
  if (finding?.kind !== 'failed') return finding
  const why = `expected ${finding.expected}, got ${finding.actual}`
  const { symptom } = finding
  return controlFailed(why, finding.evidence, { ...(symptom && { symptom }) })
}

/** Returns the notified objects of a payment, except the object that the platform acts on. */
export function companionObjects(branch: Branch, play: Play): readonly ObjectRef[] {
  const { consequence } = play
  const byId = new Map(ownMessages(branch, play).map(({ type, id }) => [`${type} ${id}`, { type, id }]))
  byId.delete(`${consequence?.type} ${consequence?.id}`)
  return [...byId.values()]
}

/** Returns a failure for each object of the payment on which the receiver wrongly acts. */
export function expectIdleCompanions(
  context: CheckContext,
  { branch, play }: PlayedPayment,
  because: string,
) {
  const { type, id } = play.consequence ?? {}
  const reason = `because your receiver acts on ${type} ${id} of the same payment, ${because}`
  return companionObjects(branch, play).map((object) =>
    expectEffects(context, object, { effects: 0, because: reason, isLast: true }),
  )
}

interface Repetition {
  readonly because: string
  /** True if no fault changed the first delivery. If false, a control payment tests whether deliveries have effects. */
  readonly isUsualAtFirst: boolean
}

/** The checks that can explain why a single undisturbed notification has no effect. */
const TELLING = ['order/documented-order', 'order/only-the-final-state'] as const

/** Judges a payment with repeated notifications. A missing effect is inconclusive if a single notification has no effect either. */
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
    const why = `${target.type} ${target.id} had no effect after the first delivery, so a duplicate proves nothing`
    return controlFailed(why, finding.evidence, { see: TELLING })
  }
  return (await requireUsualEffect(context, payment)) ?? finding
}

async function requireUsualEffect(context: CheckContext, { branch }: PlayedPayment) {
  const [control] = await playToSuccess(context, [branch])
  if (!control) return undefined
  const { message, target } = control
  const label = `${message.label}, in the ordinary order`
  const sent = await context.sendUntilAccepted(message, { label, role: 'control' })
  const refused = requireAccepted(sent)
  if (refused) return refused
  const seen = await context.effects.settle(target, 1)
  if (seen.effects > 0) return undefined
  const why = `after one ordinary notification, ${target.type} ${target.id} had ${describeEffects(seen)}`
  return controlFailed(why, { exchanges: [sent], objects: [target] }, { see: TELLING })
}
