import type { CheckContext, Message } from './check-context.ts'
import { controlFailed, type Exchange, type Finding, type ObjectRef } from '../finding.ts'
import {
  expectAccepted,
  expectEffects,
  isAccepted,
  isReached,
  requireAccepted,
  sendAll,
} from './expectations.ts'
import { isActedOn } from './consequences.ts'
import { createSample, expectedEffect } from './expected-effect.ts'
import { goldenMessage } from './golden-message.ts'
import type { Example } from '../../spec/generated/examples.ts'
import type { NotifiedType } from '../../spec/notifications.ts'

/** A message with one unusual property. `control` creates an ordinary message about another object for comparison. */
export interface Comparison {
  readonly message: Message
  readonly control: () => Promise<Message>
}

/** Creates a message for each example. Creates the control message from `usual(example)`, which defaults to the example itself. */
export async function compareExamples(
  context: CheckContext,
  examples: readonly Example[],
  {
    change,
    usual = (example) => example,
  }: {
    readonly change?: (message: Message, example: Example) => Promise<Message>
    readonly usual?: (example: Example) => Example
  } = {},
): Promise<readonly Comparison[]> {
  return Array.fromAsync(examples, async (example) => {
    const message = await goldenMessage(context, example)
    return {
      message: (await change?.(message, example)) ?? message,
      control: () => goldenMessage(context, usual(example)),
    }
  })
}

/** Adds a control to each message of a payment. The control is an ordinary message of another payment. */
export function comparePayment(
  context: CheckContext,
  messages: readonly Message[],
  type?: NotifiedType,
): readonly Comparison[] {
  return messages.map((message) => ({
    message,
    control: async () => (await createSample(context, type))?.message ?? message,
  }))
}

/** Fails if the receiver rejects a message, but accepts its control. Inconclusive if the receiver also rejects the control. */
export async function acceptedLikeControl(
  context: CheckContext,
  comparisons: readonly Comparison[],
): Promise<Finding | undefined> {
  const messages = comparisons.map(({ message }) => message)
  const exchanges = await sendAll(context, messages)
  if (!exchanges.every(isReached)) return expectAccepted(...exchanges)
  const failures: Exchange[] = []
  let last: Exchange | undefined
  for (const [index, exchange] of exchanges.entries()) {
    const control = isAccepted(exchange) ? undefined : await comparisons[index]?.control()
    if (!control) continue
    last = await context.send(control, { label: `${control.label}, unmodified`, role: 'control' })
    if (isAccepted(last)) failures.push(exchange)
    // Stops after a missing answer, because each further message could take the full timeout.
    if (last.status === null) break
  }
  if (failures.length > 0) return expectAccepted(...failures)
  return last && requireAccepted(last)
}

/** Sends all messages. The receiver must accept each message. Each message that a platform acts on must have exactly one effect. */
export async function actedOnLikeControl(
  context: CheckContext,
  comparisons: readonly Comparison[],
): Promise<Finding | undefined> {
  const due = comparisons.filter(({ message }) => isActedOn(context.profile, message))
  const payments = due.map(({ message, control }) => ({ ...toUnusualPayment(message), control }))
  return (
    (await acceptedLikeControl(context, comparisons)) ?? (await oneEffectLikeControl(context, ...payments))
  )
}

export function oneEffectOfEach(
  context: CheckContext,
  messages: readonly Message[],
): Promise<Finding | undefined> {
  const due = messages.filter((message) => isActedOn(context.profile, message))
  return oneEffectLikeControl(context, ...due.map(toUnusualPayment))
}

const toUnusualPayment = ({ type, id, label }: Message): UnusualPayment => ({
  target: { type, id },
  because: `notified as ${label}`,
})

export interface UnusualPayment {
  readonly target: ObjectRef | undefined
  readonly because: string
  /** Creates the control message. Defaults to an ordinary message of the same type. */
  readonly control?: () => Promise<Message>
}

/** Fails if an effect is missing or repeated. The finding is inconclusive if an ordinary payment fails in the same way. */
export async function oneEffectLikeControl(
  context: CheckContext,
  ...payments: readonly UnusualPayment[]
): Promise<Finding | undefined> {
  const findings = await Promise.all(payments.map((payment) => missedLikeControl(context, payment)))
  return findings.find((finding) => finding?.kind === 'failed') ?? findings.find((finding) => finding)
}

async function missedLikeControl(context: CheckContext, payment: UnusualPayment) {
  const { target, because } = payment
  const missed = target && (await expectEffects(context, target, { effects: 1, because }))
  const usual = missed && (await usualPayment(context, payment))
  if (!usual) return missed
  const exchanges = await sendAll(context, [...usual.before, usual.message], { role: 'control' })
  const control = { because: 'after an ordinary notification', exchanges }
  return (await requireEffect(context, usual.target, control)) ?? missed
}

/** Returns an inconclusive finding if an ordinary payment does not have exactly one effect. */
export async function requireEffect(
  context: CheckContext,
  target: ObjectRef | undefined,
  { because, exchanges }: { readonly because: string; readonly exchanges: readonly Exchange[] },
): Promise<Finding | undefined> {
  const finding = await expectEffects(context, target, { effects: 1, because })
  if (!target || finding?.kind !== 'failed') return undefined
  return controlFailed(
    `the receiver does not act once on an ordinary notification either: expected ${finding.expected}, got ${finding.actual}`,
    { exchanges, objects: [target] },
    { ...(finding.symptom && { symptom: finding.symptom }) },
  )
}

async function usualPayment(context: CheckContext, { target, control }: UnusualPayment) {
  const message = await control?.()
  if (message && isActedOn(context.profile, message)) {
    const { type, id } = message
    return { target: { type, id }, before: [], message }
  }
  return target && expectedEffect(context, { type: target.type })
}
