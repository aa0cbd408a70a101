import {
  isPaymentKind,
  paymentForms,
  paymentKinds,
  paymentOutcomes,
  type PaymentKind,
} from '../../../spec/payments.ts'
import { didYouMean } from '../../../spec/nearest.ts'
import { refuseField } from '../core/api-error.ts'
import type { HeadWrite } from '../state/write.ts'

/** Throws ApiError for an unknown kind. `act` is the rejected action. */
export function parseKind(kind: string, act: string): PaymentKind {
  if (isPaymentKind(kind)) return kind
  return refuseField(
    'kind',
    `Cannot ${act} "${kind}": the kinds are ${paymentKinds.join(', ')}${didYouMean(kind, paymentKinds)}`,
  )
}

/** Returns the final state. Defaults to the usual one. Throws ApiError for a state that the kind does not have. */
export function parseOutcome(kind: PaymentKind, outcome: string | undefined): string {
  const outcomes = paymentOutcomes(kind)
  const [usual = ''] = outcomes
  if (outcome === undefined || outcomes.includes(outcome)) return outcome ?? usual
  return refuseField(
    'outcome',
    `Cannot play ${kind} to "${outcome}": it comes to ${outcomes.join(' or ')}${didYouMean(outcome, outcomes)}`,
  )
}

/** Returns the form. Defaults to the usual one. Throws ApiError for a form that the kind does not have. */
export function parseForm(kind: PaymentKind, via: string | undefined): string | undefined {
  const forms = paymentForms(kind)
  if (via === undefined || forms.includes(via)) return via ?? forms[0]
  const remedy =
    forms.length === 0 ? 'it comes in one way' : `it comes via ${forms.join(', ')}${didYouMean(via, forms)}`
  return refuseField('via', `Cannot play ${kind} via "${via}": ${remedy}`)
}

/** Resets the outcome of the next payment of the kind. */
export function usualOutcome(kind: PaymentKind): HeadWrite<'next-outcome'> {
  return { kind: 'next-outcome', payment_kind: kind, outcome: null }
}
