import { MODELS } from '../../../spec/generated/models.ts'
import { objectId } from '../../../spec/models.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import {
  isParticipantRole,
  notificationRole,
  type PaymentNotification,
  paymentRows,
  paymentSteps,
} from '../../../spec/payments.ts'
import { LATEST_TIMESTAMP, timestamp } from '../core/timestamp.ts'
import { type EngineContext, newObjectDefaults } from '../objects/draws.ts'
import { changeFields, newObject } from '../objects/objects.ts'
import { nextStates } from '../objects/transitions.ts'
import {
  type PaymentPace,
  type Payment,
  type PaymentMove,
  type PaymentTerms,
  type HeadWrite,
  isObjectWrite,
  type ObjectWrite,
} from '../state/entries.ts'
import type { View } from '../state/view.ts'
import { notificationAmount, notificationFields, payeeAccountFields } from './notification-fields.ts'
import { isEveryObjectNotified } from './object-factory.ts'
import { newObjectId } from './settlement.ts'

export interface PaymentStep {
  readonly payment: Payment
  readonly writes: readonly (ObjectWrite | HeadWrite<'payment' | 'next-outcome'>)[]
}

export function continuePayment(payment: Payment, context: EngineContext): PaymentStep {
  return payment.step < payment.steps ? takeStep(payment, context, []) : { payment, writes: [] }
}

/** Takes the next step of a payment. The payment must have a next step. The writes in `pending` are part of the same commit. */
export function takeStep(
  payment: Payment,
  context: EngineContext,
  pending: readonly ObjectWrite[],
): PaymentStep {
  const notifications = nextNotifications(payment, context)
  if (notifications.some((notification) => isUnreachable(notification, payment, context))) {
    const ended = { ...payment, step: payment.steps, next_due_at: null }
    return { payment: ended, writes: [...pending, { kind: 'payment', payment: ended }] }
  }
  const objects: Record<string, string> = { ...payment.objects }
  // A new item triggers a notification before the payment changes the item. Source: §1
  const created = pending.filter(({ object_type }) => object_type === 'items')
  const together = pending.filter((write) => !created.includes(write))
  const writes = new Map(together.map((write) => [writeKey(write), write] as const))
  const put = (write: ObjectWrite) => {
    const earlier = writes.get(writeKey(write))
    // A step creates only one revision of each object. A revision is notified unless all its writes are silent.
    const silent = (earlier?.silent ?? true) && (write.silent ?? false)
    writes.set(writeKey(write), { ...earlier, ...write, silent })
  }
  for (const notification of notifications) {
    const { object: object_type, state } = notification
    const role = notificationRole(notification)
    const id = objects[role]
    const write =
      id === undefined
        ? writeNewObject(notification, payment, context)
        : writeState({ object_type, id, state }, context)
    objects[role] = objectId(write.object_type, write.object)
    const disbursement = disbursementWrites({ notification, write }, payment, context)
    if (disbursement.length > 0) objects['disbursements'] = objectId(write.object_type, write.object)
    for (const each of [write, ...disbursement, ...effectWrites(notification, payment, context)]) put(each)
  }
  const step = payment.step + 1
  const move: PaymentMove = {
    step,
    at: context.now(),
    objects: notifications.map((notification) => ({
      object_type: notification.object,
      id: objects[notificationRole(notification)] ?? '',
      state: notification.state,
    })),
  }
  const next_due_at = step < payment.steps ? findNextDue(payment.pace, context.now()) : null
  const stepped: Payment = { ...payment, objects, moves: [...payment.moves, move], step, next_due_at }
  return { payment: stepped, writes: [...created, ...writes.values(), { kind: 'payment', payment: stepped }] }
}

function nextNotifications(
  { kind, outcome, step, steps }: Payment,
  { readings }: EngineContext,
): readonly PaymentNotification[] {
  const listed = paymentSteps(kind, outcome)[step] ?? []
  const isAccompanied = step === steps - 1 && readings()['accompanying-notifications'] === 'all'
  return isAccompanied ? [...listed, ...(paymentRows[kind].accompanying?.[outcome] ?? [])] : listed
}

/** Returns true if the service's document has no transition from the current state to the notified state. Source: §3 */
function isUnreachable(
  notification: PaymentNotification,
  { objects }: Payment,
  { view }: EngineContext,
): boolean {
  const id = objects[notificationRole(notification)]
  const stored = id === undefined ? undefined : view.object(notification.object, id)
  return (
    stored !== undefined &&
    nextStates(notification.object, stored.body)?.includes(notification.state) === false
  )
}

function writeKey({ object_type, object }: ObjectWrite): string {
  return `${object_type}/${objectId(object_type, object)}`
}

export function findNextDue(pace: PaymentPace, now: number): number | null {
  if (pace === 'stepwise') return null
  return pace === 'instant' ? now : Math.min(now + pace, LATEST_TIMESTAMP)
}

function writeNewObject(
  notification: PaymentNotification,
  payment: Payment,
  context: EngineContext,
): ObjectWrite {
  const defaults = newObjectDefaults(newObjectId(notification, payment, context), context)
  const fields = notificationFields(notification, { ...payment, objectId: defaults.id }, context.view)
  const object = structuredClone(newObject(notification.object, fields, defaults))
  describeAmount(object)
  return { kind: 'object', object_type: notification.object, object }
}

/** Replaces the amount in the description with the paid amount. Source: §2.4 */
function describeAmount(object: object): void {
  if (!('description' in object && 'amount' in object)) return
  const { description, amount } = object
  if (typeof description !== 'string' || typeof amount !== 'number') return
  const dollars = (amount / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })
  object.description = description.replaceAll(/\$[\d,]+\.\d\d/g, () => `$${dollars}`)
}

function writeState(
  { object_type, id, state }: PaymentMove['objects'][number],
  { view, now }: EngineContext,
): ObjectWrite {
  const stored = view.object<NotifiedType>(object_type, id)
  if (!stored) throw new RangeError(`Cannot continue a payment: ${object_type} "${id}" no longer exists`)
  const fields = { [MODELS[object_type].state ?? 'state']: state }
  const object = changeFields<NotifiedType>(object_type, stored.body, { fields, now: timestamp(now()) })
  return { kind: 'object', object_type, object }
}

/** Returns the writes that change the item and the wallets. Notifications are sent for the item, but not for the wallets. */
function effectWrites(
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

/** Creates or changes the disbursement, which has the same id and batch as its batch transaction. Reading: payout-disbursements */
function disbursementWrites(
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

/** Returns true if the disbursement changes only with the batch transaction of the same id. Reading: payout-disbursements */
export function followsBatch(type: NotifiedType, id: string, view: Pick<View, 'object'>): boolean {
  return type === 'disbursements' && view.object('batch_transactions', id) !== undefined
}
