import { listNotifications, paymentOutcomes, type PaymentKind } from '../../spec/payments.ts'
import { UsageError } from './failure.ts'
import { formatTable } from './listing.ts'

export interface DryPayment {
  readonly kind: PaymentKind
  readonly outcome: string
  readonly notifications: ReturnType<typeof listNotifications>
}

/** Throws UsageError if this kind of payment does not have the outcome. */
export function listPaymentNotifications(kind: PaymentKind, given?: string): DryPayment {
  const outcomes = paymentOutcomes(kind)
  const outcome = given ?? outcomes[0] ?? ''
  if (!outcomes.includes(outcome))
    throw new UsageError(
      `Cannot play ${kind} with outcome "${outcome}": the outcome must be ${outcomes.join(' or ')}`,
    )
  return { kind, outcome, notifications: listNotifications(kind, outcome) }
}

export function formatDryPayment({ kind, outcome, notifications }: DryPayment): string {
  const rows = notifications.map(({ number, step, object_type, type, type_method, state, only }) => [
    String(number),
    String(step),
    [object_type, type, type_method].filter((part) => part !== null).join(' '),
    state,
    Object.entries(only)
      .map(([id, option]) => `only with the reading ${id}=${option}`)
      .join(', '),
  ])
  const order = notifications.map(({ number }) => number).toReversed()
  const ending = outcome === paymentOutcomes(kind)[0] ? '' : ` --outcome ${outcome}`
  return [
    `${kind} with outcome ${outcome} sends these notifications, in this order:`,
    formatTable(['NUMBER', 'STEP', 'OBJECT', 'STATE', ''], rows),
    `To notify in another order: npx hookbench rehearse ${kind}${ending} --order ${order.join()}`,
  ].join('\n')
}
