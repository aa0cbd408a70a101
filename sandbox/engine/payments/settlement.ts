import { notificationRole, type PaymentNotification, paymentSteps } from '../../../spec/payments.ts'
import { type EngineContext, uuidFor } from '../objects/draws.ts'
import type { Pace, Payment } from '../state/payment.ts'

/** How a payment goes on that is settled without a file from a bank. Reading: settlement */
export function settlementPace({ readings }: Pick<EngineContext, 'readings'>): Pace {
  return readings().settlement === 'at-once' ? 'instant' : 'stepwise'
}

/** A payment whose batch transaction is created by its settlement, which is waited for. */
export interface UnsettledPayment {
  readonly payment: Payment
  /** Of the batch transaction that is to come. */
  readonly id: string
  readonly notification: PaymentNotification
}

/** Those that the simulation can settle; none where they settle at once. Reading: settlement */
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

/** The notification of a batch transaction that a stepwise payment creates with its next step, if it does. */
function findSettlement({ kind, outcome, pace, step }: Payment): PaymentNotification | undefined {
  if (pace !== 'stepwise' || step === 0) return undefined
  return paymentSteps(kind, outcome)[step]?.find(({ object }) => object === 'batch_transactions')
}

/** The id of the batch transaction that a payment is settled with: it is exported before there is such an object. */
function settlementId({ id }: Pick<Payment, 'id'>): string {
  return uuidFor(`settlement ${id}`)
}

/** The id of what the payment creates with this notification. */
export function newObjectId(
  notification: PaymentNotification,
  payment: Payment,
  { newId }: Pick<EngineContext, 'newId'>,
): string {
  return findSettlement(payment)?.object === notification.object ? settlementId(payment) : newId()
}
