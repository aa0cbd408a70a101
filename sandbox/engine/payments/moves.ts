import type { NotifiedType } from '../../../spec/notifications.ts'
import { outcomesOf, stepsOf } from '../../../spec/payments.ts'
import type { EngineContext } from '../state/context.ts'
import { effectsOf } from './effects.ts'
import type { Payment } from '../state/payment.ts'
import { continuePayment, endedPayment, moved, roleOf } from './play.ts'
import type { ObjectWrite, PaymentWrite } from '../state/write.ts'

/** A move that was not the payment's own: by the bench, or by the pre-live simulation. */
interface Move {
  readonly object_type: NotifiedType
  readonly id: string
  readonly state: string
}

/**
 * What such a move brings with it, the moved object included: the next step of the payment that it is part of, or else
 * what follows from that state, and the end of the payment. Undefined if the object is part of no payment.
 */
export function movedByHand(
  { object_type, id, state }: Move,
  context: EngineContext,
): readonly (ObjectWrite | PaymentWrite)[] | undefined {
  const payment = context.view
    .payments()
    .find(({ objects }) => Object.entries(objects).some((entry) => isOf(entry, object_type, id)))
  if (!payment) return undefined
  const outcome = outcomeBy({ object_type, id, state }, payment)
  if (outcome !== undefined) return continuePayment({ ...payment, outcome }, context).writes

  const [role = ''] = Object.entries(payment.objects).find((entry) => isOf(entry, object_type, id)) ?? []
  const [, type = '', type_method = ''] = role.split('/')
  const arrival = { object: object_type, type, type_method, state }
  return [
    moved(arrival, id, context),
    ...effectsOf(arrival, payment, { context, isNew: false }),
    { kind: 'payment', payment: endedPayment(payment) },
  ]
}

/** The outcome, the payment's own first, under which its next step is this move. */
function outcomeBy({ object_type, id, state }: Move, payment: Payment): string | undefined {
  const { kind, step, objects } = payment
  return [payment.outcome, ...outcomesOf(kind)].find((outcome) =>
    stepsOf(kind, outcome)[step]?.some(
      (arrival) =>
        arrival.object === object_type && arrival.state === state && objects[roleOf(arrival)] === id,
    ),
  )
}

function isOf([role, known]: readonly [string, string], type: NotifiedType, id: string): boolean {
  return known === id && role.startsWith(`${type}/`)
}
