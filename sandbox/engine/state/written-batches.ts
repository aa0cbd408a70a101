import type { Entry, Head } from './entries.ts'
import type { Log, Outlived } from './log.ts'

/** Entries that are written at once. */
export interface Batch {
  readonly entries: Entry[]
  /** The most that any of them asks for. */
  outlived: Outlived
  readonly settled: PromiseWithResolvers<void>
}

/** What the log holds, until it outlives what it is to. */
export interface WrittenBatches {
  /** While it is so, what is to be written is gathered: `onSynced` is called when it is over. */
  readonly isSyncing: boolean
  /** Settles it when it outlives what it is to, and then emits its heads: in the order of all batches. */
  add(batch: Batch): void
  /** Waits for the disk, and settles all. Throws what the disk says. */
  endNow(): void
}

interface WrittenBatchesPorts {
  readonly log: Pick<Log, 'sync' | 'syncNow'>
  readonly emit: (head: Head) => void
  readonly onSynced: () => void
}

/** What comes while the disk is waited for is written at once when that is over: a few large writes in place of many small ones. */
export function createWrittenBatches({ log, emit, onSynced }: WrittenBatchesPorts): WrittenBatches {
  const { sync, syncNow } = log
  let waiting: Batch[] = []
  let isSyncing = false

  function end(batches: readonly Batch[]): void {
    for (const { entries, settled } of batches) {
      for (const { head } of entries) emit(head)
      settled.resolve()
    }
  }

  /** Never rejects: who waits for a batch is told. */
  async function syncAll(wait: () => Promise<void>): Promise<void> {
    isSyncing = true
    const covered = waiting.length
    const batches = waiting
    try {
      await wait()
      // Those that came meanwhile wait on, unless all were ended at once.
      if (batches === waiting) end(waiting.splice(0, covered))
    } catch (error) {
      if (batches === waiting) for (const { settled } of waiting.splice(0, covered)) settled.reject(error)
    }
    // First, so that what is committed as it ends is not left to a wait that is over.
    isSyncing = false
    onSynced()
    startSync()
  }

  function startSync(): void {
    if (sync && !isSyncing && waiting.length > 0) void syncAll(sync)
  }

  return {
    get isSyncing() {
      return isSyncing
    },
    add(batch) {
      if (!sync || (batch.outlived === 'process' && waiting.length === 0)) return end([batch])
      // Nobody who asks for no more waits for the disk; the heads keep their order.
      if (batch.outlived === 'process') batch.settled.resolve()
      waiting.push(batch)
      startSync()
    },
    endNow() {
      if (waiting.length === 0) return
      syncNow?.()
      const ended = waiting
      waiting = []
      end(ended)
    },
  }
}
