import type { Entry, Head } from './entries.ts'
import { passes, type Log, type Outlived, type StorageError } from './log.ts'
import { createPendingBatch } from './pending-batch.ts'
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
  /** Writes all, unless everything is being replaced. */
  write(): void
  /** Writes all, and waits for the disk. Throws what that says. */
  flush(): void
  /** Looks whether there is room again, if there was none, or whether it can be reached. */
  recover(): void
  /**
   * Has what is under way kept, and then everything replaced elsewhere; `publish` follows in the same turn. What is committed
   * meanwhile comes before it, and goes with the rest; it waits until that is known.
   */
  replaceElsewhere(commit: () => Promise<void>, publish: () => void): Promise<void>
}

interface GroupCommitPorts {
  readonly log: Log
  readonly indexes: Pick<StoredIndexes, 'length' | 'apply' | 'reload' | 'catchUp' | 'keepSoon'>
  /** Runs a task after the work at hand. */
  readonly soon: (run: () => void) => void
  /** Called with each head that outlives what it is to. */
  readonly emit: (head: Head) => void
}

export function createGroupCommit(ports: GroupCommitPorts): GroupCommit {
  const { log, indexes, soon } = ports
  const writer = createBatchWriter(ports)
  const { pending, state, written } = writer
  const recover = () => recoverLog(ports, writer)
  log.onProblem?.((problem) => (problem ? writer.fail(problem) : recover()))

  return {
    get batch() {
      return pending.batch
    },
    state,
    commit(entries, outlived) {
      if (!pending.batch && !written.isSyncing) soon(writer.writeBatch)
      const settled = pending.add(entries, outlived)
      for (const { head } of entries) indexes.apply(head)
      return settled
    },
    write: writer.write,
    flush() {
      writer.write()
      written.endNow()
    },
    recover,
    async replaceElsewhere(commit, publish) {
      writer.write()
      writer.isHeld = true
      try {
        await written.settle()
        if (state.problem) throw state.problem
        await commit()
        const overtaken = pending.take()
        publish()
        overtaken?.settled.resolve()
      } finally {
        writer.isHeld = false
        if (pending.batch) soon(writer.writeBatch)
      }
    },
  }
}

type BatchWriter = ReturnType<typeof createBatchWriter>

function createBatchWriter({ log, indexes, soon, emit }: GroupCommitPorts) {
  const pending = createPendingBatch()
  const state = createStorageState()
  const written = createWrittenBatches({ log, emit, onSynced, onFailed: fail })
  const writer = { isHeld: false, pending, state, written, writeBatch: () => void writeBatch(), write, fail }

  /** What those commit at once who waited goes with the rest, where it would have to wait for another way there and back. */
  function onSynced(): void {
    if (log.isRemote === true) soon(writer.writeBatch)
    else writeBatch()
  }

  /** Nobody builds on what the log has lost, or will not take. */
  function fail(problem: StorageError): void {
    if (passes(problem) || log.isRemote === true) {
      pending.take()?.settled.reject(problem)
      if (indexes.length > log.length) indexes.reload()
    }
    state.fail(problem)
  }

  /** Whether there was one. */
  function writeBatch(): boolean {
    const writing = writer.isHeld ? undefined : pending.take()
    if (!writing) return false
    try {
      state.guard(() => log.append(writing.entries))
    } catch (error) {
      writing.settled.reject(error)
      // Nothing was kept: go back to what is durable, so that nobody builds on what was lost. Without room, nothing more is taken in
      // that would have to be taken back.
      if (state.mayGoOn) indexes.reload()
      return true
    }
    void indexes.keepSoon().catch(state.fail)
    written.add(writing)
    return true
  }

  /** A listener to what is written may commit more. */
  function write(): void {
    while (writeBatch());
  }

  return writer
}

function recoverLog({ log, indexes, emit }: GroupCommitPorts, { state, written }: BatchWriter): void {
  if (!state.problem || !passes(state.problem)) return
  try {
    log.recover?.()
  } catch (error) {
    return state.fail(error)
  }
  const kept = indexes.catchUp()
  state.clear()
  written.endRecovered()
  kept.forEach(emit)
}
