import {
  isPaymentKind,
  paymentForms,
  paymentKinds,
  paymentOutcomes,
  type PaymentKind,
} from '../../../spec/payments.ts'
import { didYouMean } from '../../../spec/nearest.ts'
import { ApiError } from '../core/api-error.ts'
import type { HeadWrite } from '../state/write.ts'

/** Throws ApiError for a kind that there is not; `act` is what cannot be done with it. */
export function parseKind(kind: string, act: string): PaymentKind {
  if (isPaymentKind(kind)) return kind
  const message = `Cannot ${act} "${kind}": the kinds are ${paymentKinds.join(', ')}${didYouMean(kind, paymentKinds)}`
  throw new ApiError('invalid', { field: 'kind', message })
}

/** The final state, or the usual one if none is given. Throws ApiError for one that the kind does not come to. */
export function parseOutcome(kind: PaymentKind, outcome: string | undefined): string {
  const outcomes = paymentOutcomes(kind)
  const [usual = ''] = outcomes
  if (outcome === undefined || outcomes.includes(outcome)) return outcome ?? usual
  const message = `Cannot play ${kind} to "${outcome}": it comes to ${outcomes.join(' or ')}${didYouMean(outcome, outcomes)}`
  throw new ApiError('invalid', { field: 'outcome', message })
}

/** How it comes, or the usual way if none is given. Throws ApiError for a way in which the kind does not come. */
export function parseForm(kind: PaymentKind, via: string | undefined): string | undefined {
  const forms = paymentForms(kind)
  if (via === undefined || forms.includes(via)) return via ?? forms[0]
  const remedy =
    forms.length === 0 ? 'it comes in one way' : `it comes via ${forms.join(', ')}${didYouMean(via, forms)}`
  throw new ApiError('invalid', { field: 'via', message: `Cannot play ${kind} via "${via}": ${remedy}` })
}

/** The next payment of the kind ends as usual. */
export function usualOutcome(kind: PaymentKind): HeadWrite<'next-outcome'> {
  return { kind: 'next-outcome', payment_kind: kind, outcome: null }
}
