import { isParticipantRole, type PaymentNotification } from '../../../spec/payments.ts'
import { timestamp } from '../core/timestamp.ts'
import { changeFields } from '../objects/objects.ts'
import type { EngineContext } from '../objects/draws.ts'
import type { Payment, PaymentTerms } from '../state/payment.ts'
import type { View } from '../state/view.ts'
import type { ObjectWrite } from '../state/write.ts'

/**
 * Returns the amount of a notification, in minor units. It is the whole amount, or the amount after the fees of the
 * item.
 */
export function notificationAmount(
  { amount: part }: PaymentNotification,
  { participants, amount }: PaymentTerms,
  view: View,
): number {
  if (part !== 'net' || participants.item === undefined) return amount
  return view.object('items', participants.item)?.body.net_amount ?? amount
}

/** Returns the further changes. The item notifies as usual. The wallets notify nobody. */
export function effectWrites(
  notification: PaymentNotification,
  payment: Payment,
  { view, now }: EngineContext,
): ObjectWrite[] {
  const { participants } = payment
  const writes: ObjectWrite[] = []
  const item = participants.item === undefined ? undefined : view.object('items', participants.item)?.body
  if (item && notification.item) {
    const object = changeFields('items', item, { fields: notification.item, now: timestamp(now()) })
    writes.push({ kind: 'object', object_type: 'items', object })
  }
  const amount = notificationAmount(notification, payment, view)
  for (const [role, way] of Object.entries(notification.wallets ?? {})) {
    const id = isParticipantRole(role) ? participants[role] : undefined
    const wallet = id === undefined ? undefined : view.object('accounts', id)?.body
    if (!wallet) continue
    const object = { ...wallet, amount: way === 'in' ? wallet.amount + amount : wallet.amount - amount }
    writes.push({ kind: 'object', object_type: 'accounts', object, silent: true })
  }
  return writes
}
