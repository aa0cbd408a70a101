import type { Run } from '../run.ts'

/** A property of every run. */
export interface Invariant {
  /** The id in the list of invariants. */
  readonly id: string
  readonly about: string
  /** Returns a sentence for each violation. */
  readonly check: (run: Run) => readonly string[]
}
