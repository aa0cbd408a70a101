import type { NotifiedType } from '../../../spec/notifications.ts'
import { notificationRole, paymentOutcomes, paymentSteps } from '../../../spec/payments.ts'
import type { EngineContext } from '../objects/draws.ts'
import type { Payment } from '../state/entries.ts'
import { continuePayment, type PaymentStep } from './take-step.ts'

interface Transition {
  readonly object_type: NotifiedType
  readonly id: string
  readonly state: string
}

/** Takes the payment's step that makes this transition. If needed, changes the outcome. Undefined if there is no such step. */
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

/** Takes the payment's step for a simulated success. If another outcome was chosen for the payment, the payment ends with that outcome. */
export function simulatedTransition(
  transition: Transition,
  context: EngineContext,
): { readonly state: string; readonly writes: PaymentStep['writes'] } | undefined {
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

function nextOutcome(transition: Transition, payment: Payment): string | undefined {
  const { kind, step, outcome } = payment
  const role = roleIn(payment, transition)
  return [outcome, ...paymentOutcomes(kind)].find((each) =>
    paymentSteps(kind, each)[step]?.some(
      (notification) => notificationRole(notification) === role && notification.state === transition.state,
    ),
  )
}

function roleIn({ objects }: Payment, { object_type, id }: Transition): string | undefined {
  const [role] =
    Object.entries(objects).find(([key, known]) => known === id && key.split('/')[0] === object_type) ?? []
  return role
}
