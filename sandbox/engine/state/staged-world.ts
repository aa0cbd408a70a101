import type { Entry } from './entries.ts'
import type { Log, StagedEntries } from './log.ts'
import { refuseSecondEnabled } from './second-enabled.ts'
import type { StorageState } from './storage-state.ts'
import type { StoredIndexes } from './stored-indexes.ts'

/** Entries that are to take the place of everything. */
export interface StagedWorld {
  /** Takes these behind those that it has. Throws ConflictError if a registration would be the second enabled one. */
  add(entries: readonly Entry[]): void
  /** Resolves when little is left to be waited for when they take the place of everything. */
  prepare(): Promise<void>
  /**
   * Takes the place of everything at once, when what is under way is durable. Throws if it cannot, and nothing has changed then;
   * what it gives resolves when the change is durable, too.
   */
  publish(): Promise<void>
  /** Forgets them. */
  discard(): void
}

interface StagedWorldPorts extends Pick<StorageState, 'guard' | 'fail'> {
  readonly indexes: Pick<StoredIndexes, 'stage'>
  /** The log, with all that is under way. */
  readonly flushed: () => Log
}

/** Indexes grow with the entries, so that nothing is left to be read when they take the place of all others. */
export function createStagedWorld(
  log: Log,
  { indexes, flushed, guard, fail }: StagedWorldPorts,
): StagedWorld {
  const entries = guard(() => log.stage?.() ?? stageInMemory(log))
  const staged = indexes.stage()

  async function sync(): Promise<void> {
    await log.sync?.().catch((error: unknown) => {
      fail(error)
      throw error
    })
  }

  return {
    add(added) {
      for (const { head } of added) {
        refuseSecondEnabled(staged.present, head)
        staged.apply(head)
      }
      guard(() => entries.add(added))
    },
    prepare: sync,
    publish() {
      guard(() => {
        flushed()
        entries.publish()
      })
      staged.adopt()
      return sync()
    },
    discard: () => entries.discard(),
  }
}

function stageInMemory(log: Log): StagedEntries {
  let staged: Entry[] = []
  return {
    add(entries) {
      for (const entry of entries) staged.push(entry)
    },
    publish: () => log.replace(staged),
    discard() {
      staged = []
    },
  }
}
