import type { PaymentKindInfo, PlannedNotification } from '../../../spec/generated/control-types.ts'
import {
  describePayment,
  isNotified,
  numberNotifications,
  paymentForms,
  paymentKinds,
  paymentOutcomes,
  paysItem,
  type PaymentKind,
} from '../../../spec/payments.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import { reply } from '../operations/operation.ts'
import type { ControlOperation } from './operation.ts'

export const listPaymentKinds: ControlOperation<'listPaymentKinds'> = (_, { readings }) =>
  reply(200, { kinds: paymentKinds.map((kind) => toKindInfo(kind, readings())) })

function toKindInfo(kind: PaymentKind, readings: ReadingValues): PaymentKindInfo {
  return {
    kind,
    ...describePayment(kind),
    pays_item: paysItem(kind),
    forms: [...paymentForms(kind)],
    endings: paymentOutcomes(kind).map((outcome) => ({
      outcome,
      notifications: planNotifications(kind, outcome, readings),
    })),
  }
}

/** What a payment that comes to this outcome would notify. */
function planNotifications(
  kind: PaymentKind,
  outcome: string,
  readings: ReadingValues,
): PlannedNotification[] {
  // The item is there before the payment begins.
  const first = paysItem(kind) ? 0 : 1
  return numberNotifications(kind, outcome).map(({ number, step, notification }) => ({
    number,
    step: first + step,
    object_type: notification.object,
    type: notification.type ?? null,
    type_method: notification.type_method ?? null,
    state: notification.state,
    only: { ...notification.only },
    happens: isNotified(notification, readings),
  }))
}
