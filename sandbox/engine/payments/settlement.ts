import { notificationRole, type PaymentNotification, paymentSteps } from '../../../spec/payments.ts'
import { type EngineContext, uuidFor } from '../objects/draws.ts'
import type { PaymentPace, Payment } from '../state/entries.ts'

/** Returns the pace of a card pay-in or realtime payout. Reading: settlement */
export function settlementPace({ readings }: Pick<EngineContext, 'readings'>): PaymentPace {
  return readings().settlement === 'at-once' ? 'instant' : 'stepwise'
}

export interface UnsettledPayment {
  readonly payment: Payment
  readonly id: string
  readonly notification: PaymentNotification
}

/** Returns the payments that the simulation can settle. Empty if payments settle immediately. Reading: settlement */
export function listUnsettledPayments({
  view,
  readings,
}: Pick<EngineContext, 'view' | 'readings'>): readonly UnsettledPayment[] {
  if (readings().settlement === 'at-once') return []
  return view.paymentsBetween(0, view.paymentCount()).flatMap((payment) => {
    const notification = findSettlement(payment)
    const isMade = notification && payment.objects[notificationRole(notification)] !== undefined
    return notification && !isMade ? [{ payment, notification, id: settlementId(payment) }] : []
  })
}

function findSettlement({ kind, outcome, pace, step }: Payment): PaymentNotification | undefined {
  if (pace !== 'stepwise' || step === 0) return undefined
  return paymentSteps(kind, outcome)[step]?.find(({ object }) => object === 'batch_transactions')
}

/** Returns the id of the batch transaction of a payment. The bank export contains this id before the batch transaction exists. */
function settlementId({ id }: Pick<Payment, 'id'>): string {
  return uuidFor(`settlement ${id}`)
}

export function newObjectId(
  notification: PaymentNotification,
  payment: Payment,
  { newId }: Pick<EngineContext, 'newId'>,
): string {
  return findSettlement(payment)?.object === notification.object ? settlementId(payment) : newId()
}
