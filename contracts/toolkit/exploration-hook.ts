import type { ExploredCase } from '../explored-case.ts'
import type { Finding } from '../finding.ts'

/** What the exploration of random worlds works with, for all checks that look at it. */
export interface ExplorationHook {
  /** Real milliseconds; 0 for not at all. */
  readonly forMs: number
  /** The worlds that failed in the last run. */
  kept(): readonly ExploredCase[]
  /** Keeps these, in place of the others. */
  keep(cases: readonly ExploredCase[]): void
  /** What it found about the load that the receiver causes; undefined until then. */
  bounds: Finding | undefined
}
