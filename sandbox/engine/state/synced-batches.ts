import { errorMessage } from '../../../spec/errors.ts'
import { StorageError } from './storage-error.ts'
import type { Disk, StoreHead } from './disk.ts'

/** The required durability of a write. Every write survives a crash of the process. A `machine` write waits for a disk sync. */
export type Durability = 'process' | 'machine'

export interface Batch {
  /** The highest durability that a write of the batch requires. */
  durability: Durability
  /** The functions to call, in this order, when the batch is durable. */
  readonly emits: (() => void)[]
  readonly settled: PromiseWithResolvers<void>
  failure?: unknown
}

export function createBatch(durability: Durability): Batch {
  return { durability, emits: [], settled: Promise.withResolvers<void>() }
}

interface SyncPorts {
  readonly disk: Disk | undefined
  readonly head: () => StoreHead
  readonly onSynced: () => void
  readonly onFailed: (problem: StorageError) => void
}

export function createSyncedBatches({ disk, head, onSynced, onFailed }: SyncPorts) {
  let waiting: Batch[] = []
  let isSyncing = false
  // True after a failed sync. After a failed sync, no further sync is attempted, because it could succeed although data is lost.
  let hasFailed = false

  /** Rejects all waiting batches. The disk may have lost any write in these batches. */
  function fail(cause: unknown): void {
    hasFailed = true
    const problem = toProblem(cause)
    for (const { settled } of waiting) settled.reject(problem)
    onFailed(problem)
  }

  function endAll(): void {
    const ended = waiting
    waiting = []
    ended.forEach(endBatch)
  }

  /** Syncs the disk for the waiting batches. Never rejects, because a failure rejects the promises of the batches. */
  async function sync(): Promise<void> {
    if (!disk || isSyncing || hasFailed || waiting.length === 0) return
    isSyncing = true
    const [batches, count] = [waiting, waiting.length]
    // Compares the lists: if all batches ended during the sync, `waiting` is a new list.
    const endCovered = () => batches === waiting && batches.splice(0, count).forEach(endBatch)
    await disk.sync(head()).then(endCovered, fail)
    // Resets the flag before calling `onSynced`, so that a listener's write can start the next sync.
    isSyncing = false
    onSynced()
    void sync()
  }

  return {
    isSyncing: () => isSyncing,
    add(batch: Batch): void {
      const isKept = batch.durability === 'process' && !disk?.isRemote
      if (!disk || (isKept && waiting.length === 0)) return endBatch(batch)
      // A `process` write needs no disk sync. Listeners are called only after the sync, so that they get the batches in order.
      if (isKept) batch.settled.resolve()
      waiting.push(batch)
      void sync()
    },
    newest: () => waiting.at(-1),
    /** Blocks until the disk is synced, and then resolves or rejects all batches. */
    endNow(): void {
      if (!disk || disk.isRemote || waiting.length === 0 || hasFailed) return
      try {
        disk.syncNow(head())
      } catch (error) {
        return fail(error)
      }
      endAll()
    },
    endRecovered(): void {
      hasFailed = false
      endAll()
    },
  }
}

function endBatch({ emits, settled }: Batch): void {
  for (const emit of emits) emit()
  settled.resolve()
}

function toProblem(cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause
  return new StorageError('failed', `Cannot write the store: ${errorMessage(cause)}`, { cause })
}
