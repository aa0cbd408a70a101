import type { Entry, Head } from './entries.ts'
import type { Log, Outlived } from './log.ts'
import { createStorageState, type StorageState } from './storage-state.ts'
import type { StoredIndexes } from './stored-indexes.ts'
import { createWrittenBatches, type Batch } from './written-batches.ts'

/** Writes what is committed in batches, and goes back where they cannot be written. */
export interface GroupCommit {
  /** What is committed and not written yet. */
  readonly batch: Batch | undefined
  readonly state: Pick<StorageState, 'problem' | 'onChange' | 'guard' | 'fail'>
  /** Takes the entries into the indexes at once, and resolves when they outlive what they are to. Only without a problem. */
  commit(entries: readonly Entry[], outlived: Outlived): Promise<void>
  /** Writes all. */
  write(): void
  /** Writes all, and waits for the disk. Throws what that says. */
  flush(): void
  /** Looks whether there is room again, if there was none. */
  recover(): void
}

interface GroupCommitPorts {
  readonly log: Log
  readonly indexes: Pick<StoredIndexes, 'apply' | 'reload' | 'keepSoon'>
  /** Runs a task after the work at hand. */
  readonly soon: (run: () => void) => void
  /** Called with each head that outlives what it is to. */
  readonly emit: (head: Head) => void
}

export function createGroupCommit({ log, indexes, soon, emit }: GroupCommitPorts): GroupCommit {
  const pending = createPendingBatch()
  const state = createStorageState()
  const written = createWrittenBatches({ log, emit, onSynced: writeBatch, onFailed: state.fail })

  function writeBatch(): void {
    const writing = pending.take()
    if (!writing) return
    try {
      state.guard(() => log.append(writing.entries))
    } catch (error) {
      writing.settled.reject(error)
      // Nothing was kept: go back to what is durable, so that nobody builds on what was lost. Without room, nothing more is taken in
      // that would have to be taken back.
      if (state.mayGoOn) indexes.reload()
      return
    }
    void indexes.keepSoon().catch(state.fail)
    written.add(writing)
  }

  /** A listener to what is written may commit more. */
  function write(): void {
    while (pending.batch) writeBatch()
  }

  return {
    get batch() {
      return pending.batch
    },
    state,
    commit(entries, outlived) {
      if (!pending.batch && !written.isSyncing) soon(writeBatch)
      const settled = pending.add(entries, outlived)
      for (const { head } of entries) indexes.apply(head)
      return settled
    },
    write,
    flush() {
      write()
      written.endNow()
    },
    recover() {
      if (state.problem?.kind !== 'full') return
      try {
        log.recover?.()
      } catch (error) {
        return state.fail(error)
      }
      state.clear()
      written.endRecovered()
    },
  }
}

/** What is gathered until it is written. */
function createPendingBatch() {
  let batch: Batch | undefined
  return {
    get batch() {
      return batch
    },
    /** Resolves when the batch that has them is settled. */
    add(entries: readonly Entry[], outlived: Outlived): Promise<void> {
      batch ??= { entries: [], outlived, settled: Promise.withResolvers<void>() }
      for (const entry of entries) batch.entries.push(entry)
      if (outlived === 'machine') batch.outlived = outlived
      return batch.settled.promise
    },
    /** What is gathered from now on is another batch. */
    take(): Batch | undefined {
      const taken = batch
      batch = undefined
      return taken
    },
  }
}
