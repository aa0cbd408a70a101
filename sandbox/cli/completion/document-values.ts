import { faultKinds } from '../../../spec/faults.ts'
import { LIFECYCLES } from '../../../spec/generated/lifecycles.ts'
import { notifiedTypes } from '../../../spec/notifications.ts'
import {
  describePayment,
  isPaymentKind,
  paymentForms,
  paymentKinds,
  paymentOutcomes,
} from '../../../spec/payments.ts'
import { readings } from '../../../spec/readings.ts'
import { toCandidate, type Candidate } from './candidate.ts'
import { firstGiven, oneOf, pairsOf, type ValueContext, type ValueSource } from './value-source.ts'

// What the spec knows, whether a sandbox runs or not.

export const TYPES = oneOf(notifiedTypes)

export const PAYMENT_KINDS = oneOf(paymentKinds.map((kind) => [kind, describePayment(kind).about] as const))

/** How a payment of the kind that is given can end. */
export const OUTCOMES: ValueSource = (context) => {
  const kind = firstGiven(context, 'kind') ?? ''
  const outcomes = isPaymentKind(kind) ? paymentOutcomes(kind) : []
  return {
    candidates: outcomes.map((outcome, index) =>
      toCandidate(outcome, index === 0 ? 'as it usually ends' : ''),
    ),
  }
}

/** How a payment of the kind that is given can come. */
export const FORMS: ValueSource = (context) => {
  const kind = firstGiven(context, 'kind') ?? ''
  return { candidates: isPaymentKind(kind) ? paymentForms(kind).map((form) => toCandidate(form)) : [] }
}

const states: Readonly<Record<string, { readonly states?: object; readonly unnotified?: object }>> =
  LIFECYCLES.objects

/** The states of a type; without one, of all types. */
export function listStates(type: string | undefined): readonly Candidate[] {
  const rows = type === undefined ? Object.values(states) : [states[type] ?? {}]
  const names = rows.flatMap((row) => [
    ...Object.keys(row.states ?? {}),
    ...Object.keys(row.unnotified ?? {}),
  ])
  return [...new Set(names)].map((name) => toCandidate(name))
}

export const STATES: ValueSource = (context) => ({ candidates: listStates(firstGiven(context, 'type')) })

/** The kinds of faults where they are to happen. */
export const FAULT_KINDS: ValueSource = (context) => {
  const on = firstGiven(context, 'on')
  const kinds = on === 'delivery' || on === 'api' ? faultKinds[on] : {}
  return { candidates: Object.entries(kinds).map(([kind, { about }]) => toCandidate(kind, about)) }
}

const settings = readings.filter(({ kind }) => kind !== 'shape')

const listReadings = () => settings.map(({ id, about }) => toCandidate(id, about))

const readingOptions = (id: string | undefined) =>
  oneOf(Object.entries(settings.find((reading) => reading.id === id)?.options ?? {}))

export const READINGS: ValueSource = () => ({ candidates: listReadings() })

/** The options of the reading that is given. */
export const READING_OPTIONS: ValueSource = (context: ValueContext) =>
  readingOptions(firstGiven(context, 'id'))(context)

/** `id=option`. */
export const READING_CHOICES = pairsOf(listReadings, readingOptions)
