import type { CheckContext } from './check-context.ts'
import { controlFailed, type Finding } from '../finding.ts'
import { describeEffects, requireAccepted } from './expectations.ts'
import { playToSuccess } from './expected-effect.ts'
import { checkEffects, type PlayedPayment } from './payment-outcome.ts'

export interface Repetition {
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
