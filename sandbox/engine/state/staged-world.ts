import type { Entry } from './entries.ts'
import type { GroupCommit } from './group-commit.ts'
import type { Log, StagedEntries } from './log.ts'
import { refuseSecondEnabled } from './second-enabled.ts'
import type { StorageState } from './storage-state.ts'
import type { StoredIndexes } from './stored-indexes.ts'

/** Entries that are to take the place of everything. */
export interface StagedWorld {
  /** As the clock would go on from what it has: the latest time on record, and the speed as it was set last. */
  clock(): { readonly latestAt: number; readonly speed?: number }
  /** Takes these behind those that it has. Throws ConflictError if a registration would be the second enabled one. */
  add(entries: readonly Entry[]): void
  /** Resolves when little is left to be waited for when they take the place of everything. */
  prepare(): Promise<void>
  /**
   * Takes the place of everything at once, when what is under way is durable, and calls back in the same turn. Rejects if it cannot,
   * and nothing has changed then; it resolves when the change is durable, too.
   */
  publish(onPublished: () => void): Promise<void>
  /** Forgets them, unless they were published; while it is not known whether they are, once it is. */
  discard(): void
}

interface StagedWorldPorts
  extends Pick<StorageState, 'guard' | 'fail'>, Pick<GroupCommit, 'replaceElsewhere'> {
  readonly indexes: Pick<StoredIndexes, 'stage'>
  /** The log, with all that is under way. */
  readonly flushed: () => Log
}

/** Indexes grow with the entries, so that nothing is left to be read when they take the place of all others. */
export function createStagedWorld(log: Log, ports: StagedWorldPorts): StagedWorld {
  const { guard } = ports
  const entries = guard(() => log.stage?.() ?? stageInMemory(log))
  const staged = ports.indexes.stage()
  let isOver = false
  let publishing: Promise<void> | undefined

  function adopt(onPublished: () => void): void {
    isOver = true
    staged.adopt()
    onPublished()
  }

  async function publish(onPublished: () => void): Promise<void> {
    if (entries.commit) return publishElsewhere(entries.commit, onPublished)
    guard(() => {
      ports.flushed()
      entries.publish()
    })
    adopt(onPublished)
    await failing(log.sync?.(), ports)
  }

  function forget(): void {
    if (!isOver) entries.discard()
    isOver = true
  }

  return {
    clock: () => staged.present.present,
    add(added) {
      for (const { head } of added) {
        refuseSecondEnabled(staged.present, head)
        staged.apply(head)
      }
      guard(() => entries.add(added))
    },
    prepare: () => entries.prepare?.() ?? failing(log.sync?.(), ports),
    publish: (onPublished) => (publishing = publish(onPublished)),
    discard() {
      if (publishing) void publishing.then(forget, forget)
      else forget()
    },
  }

  async function publishElsewhere(commit: () => Promise<void>, onPublished: () => void): Promise<void> {
    await entries.prepare?.()
    await ports.replaceElsewhere(commit, () => {
      entries.publish()
      adopt(onPublished)
    })
  }
}

/** What the disk says shows as a problem of the store, too. */
async function failing(
  kept: Promise<void> | undefined,
  { fail }: Pick<StagedWorldPorts, 'fail'>,
): Promise<void> {
  await kept?.catch((error: unknown) => {
    fail(error)
    throw error
  })
}

function stageInMemory(log: Log): StagedEntries {
  let staged: Entry[] = []
  return {
    add(entries) {
      for (const entry of entries) staged.push(entry)
    },
    publish: () => log.replace?.(staged),
    discard() {
      staged = []
    },
  }
}
