import {
  isPaymentKind,
  notificationRole,
  paymentForms,
  paymentKinds,
  paymentOutcomes,
  paymentSteps,
  type PaymentKind,
} from '../../../spec/payments.ts'
import { didYouMean } from '../../../spec/nearest.ts'
import { refuseField } from '../core/api-error.ts'
import { withPendingWrites } from '../objects/pending-writes.ts'
import type { EngineContext } from '../objects/draws.ts'
import type { PaymentPace, Participants, Payment, HeadWrite } from '../state/entries.ts'
import { findParticipants } from './participants.ts'
import { findNextDue, takeStep, type PaymentStep } from './take-step.ts'

export interface PlayRequest {
  readonly kind: string
  /** The final state. Defaults to the outcome chosen for the kind's next payment, or else the kind's default outcome. */
  readonly outcome?: string | undefined
  /** The form of the payment. Defaults to the first form of its kind. */
  readonly via?: string | undefined
  /** The amount in minor units. Defaults to the price of the item, or an example amount. */
  readonly amount?: number | undefined
  readonly currency?: string | undefined
  readonly item?: string | undefined
  readonly user?: string | undefined
  readonly account?: string | undefined
  /** The wallet that pays. Defaults to the wallet of the user. */
  readonly wallet?: string | undefined
  readonly pace?: PaymentPace | undefined
}

const EXAMPLE_AMOUNT = 125_00

/** Starts a payment and takes its first step. Throws ApiError for an unknown kind, outcome or object. */
export function startPayment(request: PlayRequest, context: EngineContext): PaymentStep {
  const kind = parsePaymentKind(request.kind, 'play')
  const next = request.outcome === undefined ? context.view.nextOutcome(kind) : undefined
  const outcome = parsePaymentOutcome(kind, request.outcome ?? next)
  const via = parsePaymentForm(kind, request.via)
  const priced = request.item === undefined ? undefined : context.view.object('items', request.item)?.body
  const amount = request.amount ?? priced?.total_amount ?? EXAMPLE_AMOUNT
  if (priced && amount !== priced.total_amount) {
    refuseField(
      'amount',
      `Cannot pay ${amount} for item "${priced.id}": the item costs ${priced.total_amount}`,
    )
  }
  const currency = request.currency ?? priced?.currency ?? 'AUD'
  const { participants, writes: created } = findParticipants({ ...request, kind, amount, currency }, context)
  const payment: Payment = {
    id: context.newId(),
    kind,
    outcome,
    ...(via !== undefined && { via }),
    amount,
    currency,
    pace: request.pace ?? 'instant',
    participants,
    objects: findNotifiedParticipants(kind, participants),
    moves: [],
    step: 0,
    steps: paymentSteps(kind, outcome).length,
    created_at: context.now(),
    next_due_at: context.now(),
  }
  // Resets the outcome that was chosen for the next payment, because it applies to one payment only.
  const used = next === undefined ? [] : [usualOutcome(kind)]
  // If the payment sends notifications about participants, this call only creates the participants. Participants must exist
  // before the first step.
  if (Object.keys(payment.objects).length > 0) {
    const waiting = { ...payment, next_due_at: findNextDue(payment.pace, context.now()) }
    return { payment: waiting, writes: [...used, ...created, { kind: 'payment', payment: waiting }] }
  }
  const first = takeStep(payment, withPendingWrites(context, created), created)
  return { ...first, writes: [...used, ...first.writes] }
}

function findNotifiedParticipants(kind: PaymentKind, participants: Participants): Payment['objects'] {
  return Object.fromEntries(
    paymentOutcomes(kind)
      .flatMap((outcome) => paymentSteps(kind, outcome).flat())
      .flatMap((notification) => {
        const id = notification.participant && participants[notification.participant]
        return id === undefined ? [] : [[notificationRole(notification), id] as const]
      }),
  )
}

/** Throws ApiError for an unknown kind. `act` names the rejected action. */
export function parsePaymentKind(kind: string, act: string): PaymentKind {
  if (isPaymentKind(kind)) return kind
  return refuseField(
    'kind',
    `Cannot ${act} "${kind}": the kinds are ${paymentKinds.join(', ')}${didYouMean(kind, paymentKinds)}`,
  )
}

/** Returns a payment's final state. Defaults to the kind's default outcome. Throws ApiError if the kind does not have the state. */
export function parsePaymentOutcome(kind: PaymentKind, outcome: string | undefined): string {
  const outcomes = paymentOutcomes(kind)
  const [usual = ''] = outcomes
  if (outcome === undefined || outcomes.includes(outcome)) return outcome ?? usual
  return refuseField(
    'outcome',
    `Cannot play ${kind} with outcome "${outcome}": the outcome must be ${outcomes.join(' or ')}${didYouMean(outcome, outcomes)}`,
  )
}

/** Parses the form of a payment. Defaults to the first form of the kind. Throws ApiError if the kind does not have this form. */
export function parsePaymentForm(kind: PaymentKind, via: string | undefined): string | undefined {
  const forms = paymentForms(kind)
  if (via === undefined || forms.includes(via)) return via ?? forms[0]
  const remedy =
    forms.length === 0
      ? 'this kind of payment has only one route'
      : `its routes are ${forms.join(', ')}${didYouMean(via, forms)}`
  return refuseField('via', `Cannot play ${kind} via "${via}": ${remedy}`)
}

/** Returns the write that resets the chosen outcome for the next payment of this kind. */
export function usualOutcome(kind: PaymentKind): HeadWrite<'next-outcome'> {
  return { kind: 'next-outcome', payment_kind: kind, outcome: null }
}
