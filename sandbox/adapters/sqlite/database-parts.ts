import type { Entry } from '../../engine/state/entries.ts'
import type { GroupCommit, Written } from './group-commit.ts'
import type { Worlds } from './queries/worlds.ts'
import type { WorldTables } from './world-tables.ts'

/** What the worlds of a database share. */
export interface DatabaseParts {
  /** The file, for errors. */
  readonly path: string
  readonly commits: GroupCommit
  readonly worlds: Worlds
  /** Runs a task after the work at hand. */
  readonly soon: (run: () => void) => void
  openTables(number: number): WorldTables
  /** Adds an empty world without a name. */
  addDraft(): WorldTables
  /** Writes entries, and all that follows from them, in the open transaction. */
  write(tables: WorldTables, entries: readonly Entry[]): Written
  /** Runs a change of the list of worlds in a transaction of its own. Throws StorageError. */
  change(write: () => void): void
  /** Nobody writes to these tables any more. */
  release(tables: WorldTables): void
  /** Removes the rows next to the work at hand. */
  erase(number: number): void
}
