import type { RunSummary } from '../../../spec/generated/control-types.ts'
import type { FindCommand } from './commands.ts'

export interface SectionProps {
  /** The section's word in the address. */
  readonly word: string
  /** The chosen item. */
  readonly chosen: string | undefined
  readonly find: FindCommand
  /** Rehearsals and check runs, newest last. */
  readonly runs: readonly RunSummary[]
}
