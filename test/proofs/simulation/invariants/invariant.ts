import type { Run } from '../run.ts'

export interface Invariant {
  readonly id: string
  readonly about: string
  readonly check: (run: Run) => readonly string[]
}
