import type { NotifiedType } from '../../../spec/notifications.ts'
import { notificationRole, paymentOutcomes, paymentSteps } from '../../../spec/payments.ts'
import type { EngineContext } from '../state/context.ts'
import type { Payment } from '../state/payment.ts'
import { continuePayment, type PaymentStep } from './take-step.ts'

/** A change of state that was not the payment's own: by the bench, or by the pre-live simulation. */
interface Transition {
  readonly object_type: NotifiedType
  readonly id: string
  readonly state: string
}

/**
 * The next step of the payment that the object is part of, under the outcome that this transition comes to: it includes the
 * transition. Undefined if it is no step of a payment.
 */
export function manualTransition(
  transition: Transition,
  context: EngineContext,
): PaymentStep['writes'] | undefined {
  const payment = context.view.payments().find((each) => roleIn(each, transition) !== undefined)
  if (!payment) return undefined
  const outcome = nextOutcome(transition, payment)
  if (outcome === undefined) return undefined
  return continuePayment({ ...payment, outcome }, context).writes
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
