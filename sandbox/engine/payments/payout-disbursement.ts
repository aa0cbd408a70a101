import { objectId } from '../../../spec/models.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import type { PaymentNotification } from '../../../spec/payments.ts'
import { timestamp } from '../core/timestamp.ts'
import { type EngineContext, newObjectDefaults } from '../objects/draws.ts'
import { changeFields, newObject } from '../objects/objects.ts'
import type { PaymentTerms } from '../state/payment.ts'
import type { View } from '../state/view.ts'
import { isObjectWrite, type ObjectWrite } from '../state/write.ts'
import { payeeAccountFields } from './notification-fields.ts'
import { isEveryObjectNotified } from './object-factory.ts'

/**
 * Creates or moves the disbursement of a payout. It has the id and batch of its batch transaction, so a platform
 * recognizes both notifications by the id of its withdrawal. Reading: payout-disbursements
 */
export function disbursementWrites(
  { notification, write }: { readonly notification: PaymentNotification; readonly write: ObjectWrite },
  payment: PaymentTerms,
  context: EngineContext,
): ObjectWrite[] {
  const { disbursement: state } = notification
  if (state === undefined || !isObjectWrite(write, 'batch_transactions')) return []
  const id = objectId('batch_transactions', write.object)
  const { batch_id, amount, currency, partner_payment_transaction_id } = write.object
  const before = context.view.object('disbursements', id)?.body
  const fields = { state, ...(state === 'successful' && { partner_payment_transaction_id }) }
  const object = before
    ? changeFields('disbursements', before, { fields, now: timestamp(context.now()) })
    : newObject(
        'disbursements',
        { ...fields, batch_id, amount, currency, ...payeeAccountFields(payment, context.view) },
        newObjectDefaults(id, context),
      )
  return [{ kind: 'object', object_type: 'disbursements', object, silent: !isEveryObjectNotified(context) }]
}

/** True for a disbursement that moves with the batch transaction of the same id. Reading: payout-disbursements */
export function followsBatch(type: NotifiedType, id: string, view: Pick<View, 'object'>): boolean {
  return type === 'disbursements' && view.object('batch_transactions', id) !== undefined
}
