import type { Run } from '../run.ts'

/** Something that holds of every run. */
export interface Invariant {
  /** As the list of invariants calls it. */
  readonly id: string
  readonly about: string
  /** One sentence for each time that it does not hold. */
  readonly check: (run: Run) => readonly string[]
}
