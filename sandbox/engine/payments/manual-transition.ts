import type { NotifiedType } from '../../../spec/notifications.ts'
import { notificationRole, paymentOutcomes, paymentSteps } from '../../../spec/payments.ts'
import type { EngineContext } from '../state/context.ts'
import type { Payment } from '../state/payment.ts'
import type { ObjectWrite, PaymentWrite } from '../state/write.ts'
import { effectWrites } from './effects.ts'
import { continuePayment, endPayment, writeState } from './play.ts'

/** A change of state that was not the payment's own: by the bench, or by the pre-live simulation. */
interface Transition {
  readonly object_type: NotifiedType
  readonly id: string
  readonly state: string
}

/**
 * What such a transition brings with it, the object itself included: the next step of the payment that it is part of, or else
 * what follows from that state, and the end of the payment. Undefined if the object is part of no payment.
 */
export function manualTransition(
  transition: Transition,
  context: EngineContext,
): readonly (ObjectWrite | PaymentWrite)[] | undefined {
  const payment = context.view.payments().find((each) => roleIn(each, transition) !== undefined)
  if (!payment) return undefined
  const outcome = nextOutcome(transition, payment)
  if (outcome !== undefined) return continuePayment({ ...payment, outcome }, context).writes

  const { kind } = payment
  const role = roleIn(payment, transition)
  const notification = paymentOutcomes(kind)
    .flatMap((each) => paymentSteps(kind, each).flat())
    .find((each) => notificationRole(each) === role && each.state === transition.state)
  return [
    writeState(transition, context),
    ...(notification ? effectWrites(notification, payment, context) : []),
    { kind: 'payment', payment: endPayment(payment) },
  ]
}

/** The outcome, the payment's own first, under which its next step is this transition. */
function nextOutcome(transition: Transition, payment: Payment): string | undefined {
  const { kind, step, outcome } = payment
  const role = roleIn(payment, transition)
  return [outcome, ...paymentOutcomes(kind)].find((each) =>
    paymentSteps(kind, each)[step]?.some(
      (notification) => notificationRole(notification) === role && notification.state === transition.state,
    ),
  )
}

/** What the object is to the payment; undefined if the payment does not notify it. */
function roleIn({ objects }: Payment, { object_type, id }: Transition): string | undefined {
  const [role] =
    Object.entries(objects).find(([key, known]) => known === id && key.split('/')[0] === object_type) ?? []
  return role
}
