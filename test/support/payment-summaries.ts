import { expect } from 'vitest'
import { type PaymentKind, paymentKinds, paymentOutcomes, paymentSteps } from '../../spec/payments.ts'

export const PLAYS = paymentKinds.flatMap((kind) =>
  paymentOutcomes(kind).map((outcome) => [kind, outcome] as const),
)

interface Summarized {
  readonly type?: unknown
  readonly type_method?: unknown
  readonly state?: unknown
  readonly event?: unknown
}

/** Returns a line for an object in a notification, for example "items pending". */
export function summary(object_type: string, { type, type_method, state, event }: Summarized): string {
  return [object_type, type, type_method, state ?? event].filter(Boolean).join(' ')
}

/** For each step of the payment, returns one line per documented notification. */
export function documentedSteps(kind: PaymentKind, outcome: string): readonly (readonly string[])[] {
  return paymentSteps(kind, outcome).map((notifications) =>
    notifications.map(({ object, type, type_method, state }) =>
      summary(object, { type, type_method, state: object === 'virtual_accounts' ? 'status_updated' : state }),
    ),
  )
}

/** Expects the lines in the order of the steps. Within a step, the lines may have any order. */
export function expectInSteps(lines: readonly string[], steps: readonly (readonly string[])[]): void {
  const left = [...lines]
  const arrived = steps.map(({ length }) => left.splice(0, length).toSorted())
  expect([...arrived, left]).toEqual([...steps.map((step) => step.toSorted()), []])
}
