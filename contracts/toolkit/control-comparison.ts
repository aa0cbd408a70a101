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
import { expectedEffect } from './expected-effect.ts'

/** A message that is unusual in one thing, and how to make a usual one about another object. */
export interface Comparison {
  readonly message: Message
  readonly control: () => Promise<Message>
}

/** Sends all messages. A refusal says something only where the usual message is accepted: otherwise it is inconclusive. */
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
    last = await context.send(control, { label: `${control.label}, as usual`, role: 'control' })
    if (isAccepted(last)) failures.push(exchange)
    // Each further one might take its whole deadline.
    if (last.status === null) break
  }
  if (failures.length > 0) return expectAccepted(...failures)
  return last && requireAccepted(last)
}

/** Sends all messages. Each has to be accepted, and to have one effect if it tells of something that a platform acts on. */
export async function actedOnLikeControl(
  context: CheckContext,
  comparisons: readonly Comparison[],
): Promise<Finding | undefined> {
  const messages = comparisons.map(({ message }) => message)
  return (await acceptedLikeControl(context, comparisons)) ?? oneEffectOfEach(context, messages)
}

/** The effects of what was accepted: one for each message that tells of something that a platform acts on. */
export function oneEffectOfEach(
  context: CheckContext,
  messages: readonly Message[],
): Promise<Finding | undefined> {
  const due = messages.filter((message) => isActedOn(context.profile, message))
  const payments = due.map(({ type, id, label }) => ({
    target: { type, id },
    because: `notified as ${label}`,
  }))
  return oneEffectLikeControl(context, ...payments)
}

/** What was notified in an unusual way, and is to have one effect; no object if there is nothing that could have one. */
export interface UnusualPayment {
  readonly target: ObjectRef | undefined
  readonly because: string
}

/** Failed if one of them has not one effect; inconclusive if a payment that is notified as usual has not either. */
export async function oneEffectLikeControl(
  context: CheckContext,
  ...payments: readonly UnusualPayment[]
): Promise<Finding | undefined> {
  const findings = await Promise.all(
    payments.map(
      async ({ target, because }) => target && expectEffects(context, target, { effects: 1, because }),
    ),
  )
  const index = findings.findIndex((finding) => finding !== undefined)
  const [missed, type] = [findings[index], payments[index]?.target?.type]
  const control = type && (await expectedEffect(context, { type }))
  if (!control) return missed
  const exchanges = await sendAll(context, [...control.before, control.message], { role: 'control' })
  const finding = await expectEffects(context, control.target, { effects: 1, because: 'notified as usual' })
  if (finding?.kind !== 'failed') return missed
  return controlFailed(
    `as usual it does not act once either: expected ${finding.expected}, saw ${finding.actual}`,
    { exchanges, objects: [control.target] },
    { ...(finding.symptom && { symptom: finding.symptom }) },
  )
}
