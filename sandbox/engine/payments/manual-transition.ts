import type { NotifiedType } from '../../../spec/notifications.ts'
import { notificationRole, paymentOutcomes, paymentSteps } from '../../../spec/payments.ts'
import type { EngineContext } from '../objects/draws.ts'
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
  const payment = findPayment(transition, context)
  if (!payment) return undefined
  const outcome = nextOutcome(transition, payment)
  if (outcome === undefined) return undefined
  return continuePayment({ ...payment, outcome }, context).writes
}

/** What the simulation came to: the state that it brought, and what to commit for it. */
interface SimulatedTransition {
  readonly state: string
  readonly writes: PaymentStep['writes']
}

/**
 * The same for the simulation of success: a payment of which another end was chosen comes to that end, and not to the state
 * that was asked for.
 */
export function simulatedTransition(
  transition: Transition,
  context: EngineContext,
): SimulatedTransition | undefined {
  const payment = findPayment(transition, context)
  const [usual] = payment ? paymentOutcomes(payment.kind) : []
  if (payment && transition.state === usual && isLastStep(payment))
    return { state: payment.outcome, writes: continuePayment(payment, context).writes }
  const writes = manualTransition(transition, context)
  return writes && { state: transition.state, writes }
}

function findPayment(transition: Transition, { view }: EngineContext): Payment | undefined {
  return view
    .paymentsOf(transition.object_type, transition.id)
    .find((each) => roleIn(each, transition) !== undefined)
}

const isLastStep = ({ step, steps }: Payment) => step === steps - 1

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
