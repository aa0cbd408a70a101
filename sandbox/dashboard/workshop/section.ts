import type { RunSummary } from '../../../spec/generated/control-types.ts'
import type { FindCommand } from './commands.ts'

/** What a section of the workshop is given. */
export interface SectionProps {
  /** The word of the address that names the section. */
  readonly word: string
  /** What the address names of it. */
  readonly chosen: string | undefined
  readonly find: FindCommand
  /** Rehearsals and runs of checks, the newest last. */
  readonly runs: readonly RunSummary[]
}
