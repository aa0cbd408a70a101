import { isSuccess } from '../../../spec/delivery.ts'
import type { Outcome } from '../core/ports.ts'

export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'retry'; readonly dueAt: number }

export interface RetrySchedule {
  /** `offsetsMs[0]` is when the second attempt is due, from the end of the first; the list's end is the end of trying. */
  readonly offsetsMs: readonly number[]
  /** When the first attempt ended, on the sandbox's clock. */
  readonly firstEndedAt: number
}

/**
 * Decides the step after the `number`th attempt, counted from 1. A slot that fell due meanwhile is not skipped, but due at once.
 * Source: §8. Reading: retry-origin
 */
export function judge(outcome: Outcome, number: number, { offsetsMs, firstEndedAt }: RetrySchedule): Verdict {
  if (outcome.kind === 'answered' && isSuccess(outcome.status)) return { kind: 'delivered' }

  const offsetMs = offsetsMs[number - 1]
  return offsetMs === undefined ? { kind: 'exhausted' } : { kind: 'retry', dueAt: firstEndedAt + offsetMs }
}
