import {
  isPaymentKind,
  numberNotifications,
  paymentKinds,
  paymentOutcomes,
  paysItem,
  type PaymentKind,
} from '../../spec/payments.ts'
import { UsageError } from './failure.ts'
import { formatTable } from './listing.ts'
import { refuseUnknown } from './option-values.ts'

export interface DryPayment {
  readonly kind: PaymentKind
  readonly outcome: string
  readonly notifications: readonly DryNotification[]
}

interface DryNotification {
  readonly number: number
  /** As `play` counts the steps. 0 is the creation of the item. Notifications of one step are sent together. */
  readonly step: number
  readonly object_type: string
  readonly type: string | null
  readonly type_method: string | null
  readonly state: string
  /** The readings that the notification requires, as options. */
  readonly only: Readonly<Record<string, string>>
}

/** Lists the notifications of a payment. Throws UsageError with the remedy. */
export function listPaymentNotifications(given: {
  readonly kind: string
  readonly outcome?: string
}): DryPayment {
  const { kind } = given
  if (!isPaymentKind(kind))
    return refuseUnknown(`play "${kind}"`, kind, { noun: 'kind', names: paymentKinds })
  const outcomes = paymentOutcomes(kind)
  const outcome = given.outcome ?? outcomes[0] ?? ''
  if (!outcomes.includes(outcome))
    throw new UsageError(`Cannot play ${kind} to "${outcome}": it ends ${outcomes.join(' or ')}`)
  return {
    kind,
    outcome,
    notifications: numberNotifications(kind, outcome).map(({ number, step, notification }) => ({
      number,
      step: paysItem(kind) ? step : step + 1,
      object_type: notification.object,
      type: notification.type ?? null,
      type_method: notification.type_method ?? null,
      state: notification.state,
      only: notification.only ?? {},
    })),
  }
}

export function formatDryPayment({ kind, outcome, notifications }: DryPayment): string {
  const rows = notifications.map(({ number, step, object_type, type, type_method, state, only }) => [
    String(number),
    String(step),
    [object_type, type, type_method].filter((part) => part !== null).join(' '),
    state,
    Object.entries(only)
      .map(([id, option]) => `only with ${id}=${option}`)
      .join(', '),
  ])
  const order = notifications.map(({ number }) => number).toReversed()
  const ending = outcome === paymentOutcomes(kind)[0] ? '' : ` --outcome ${outcome}`
  return [
    `${kind} to ${outcome} notifies, in this order:`,
    formatTable(['NUMBER', 'STEP', 'OBJECT', 'STATE', ''], rows),
    `In another order: npx hookbench rehearse ${kind}${ending} --order ${order.join()}`,
  ].join('\n')
}
