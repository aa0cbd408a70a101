import type { ReceiverCheck } from '../toolkit/check-context.ts'

/** When the checks of a run are put to the receiver, each group in the order of the catalogue. */
export interface CheckPlan {
  /** Side by side, what takes long before all others. */
  readonly first: readonly ReceiverCheck[]
  /** One after the other, each with the receiver for itself. */
  readonly alone: readonly ReceiverCheck[]
  /** They begin with the first, and end one after the other when all others are over. */
  readonly last: readonly ReceiverCheck[]
}

export function planChecks(checks: readonly ReceiverCheck[]): CheckPlan {
  const last = checks.filter(({ spansRun }) => spansRun === true)
  const others = checks.filter(({ spansRun }) => spansRun !== true)
  const shared = others.filter(({ alone }) => alone !== true)
  return {
    first: [
      ...shared.filter(({ takesLong }) => takesLong === true),
      ...shared.filter(({ takesLong }) => takesLong !== true),
    ],
    alone: others.filter(({ alone }) => alone === true),
    last,
  }
}
