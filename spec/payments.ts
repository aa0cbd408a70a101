import { LIFECYCLES } from './generated/lifecycles.ts'
import type { NotifiedType } from './notifications.ts'

/** The ways in which money moves, and the activation of a virtual account. Source: §6.2, §3 */
export type PaymentKind = keyof typeof LIFECYCLES.payments

/** One notification of a payment. */
export interface Arrival {
  readonly object: NotifiedType
  readonly type?: string
  readonly type_method?: string
  readonly state: string
  /** What the document says of its fields: by path, a literal or a reference to one of the payment's own objects. */
  readonly sets?: Readonly<Record<string, string>>
}

interface PaymentRow {
  readonly outcomes: readonly string[]
  readonly arrivals: readonly (readonly Arrival[])[]
}

const rows: { readonly [Kind in PaymentKind]: PaymentRow } = LIFECYCLES.payments

export const paymentKinds: readonly PaymentKind[] = Object.keys(rows).filter((kind) => isPaymentKind(kind))

export function isPaymentKind(kind: string): kind is PaymentKind {
  return Object.hasOwn(rows, kind)
}

/** The final states that a payment can come to, the usual one first. */
export function outcomesOf(kind: PaymentKind): readonly string[] {
  return rows[kind].outcomes
}

/** What a payment that comes to this outcome does, step by step; what stands in one step comes together. */
export function stepsOf(kind: PaymentKind, outcome: string): readonly (readonly Arrival[])[] {
  return rows[kind].arrivals.map((together) =>
    together.map((arrival) => (arrival.state === 'outcome' ? { ...arrival, state: outcome } : arrival)),
  )
}
