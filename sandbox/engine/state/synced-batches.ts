import { errorMessage } from '../../../spec/errors.ts'
import { StorageError } from './storage-error.ts'
import type { Disk, StoreHead } from './disk.ts'

/** A write survives a crash of the process. A `machine` write also waits for the disk. */
export type Durability = 'process' | 'machine'

export interface Batch {
  /** The highest durability of its writes. */
  durability: Durability
  /** Called in order when the batch is durable. */
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
  // After a failure no sync is tried, because it could succeed without the data.
  let hasFailed = false

  /** The disk may have lost any write, so no batch is acknowledged. */
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

  /** Never rejects. A failure rejects the batches. */
  async function sync(): Promise<void> {
    if (!disk || isSyncing || hasFailed || waiting.length === 0) return
    isSyncing = true
    const [batches, count] = [waiting, waiting.length]
    // All may have ended meanwhile.
    const endCovered = () => batches === waiting && batches.splice(0, count).forEach(endBatch)
    await disk.sync(head()).then(endCovered, fail)
    // Comes first, so that a write at the end of a batch does not wait for an ended sync.
    isSyncing = false
    onSynced()
    void sync()
  }

  return {
    /** Further writes wait in the open transaction until `onSynced`. */
    isSyncing: () => isSyncing,
    /** Settles the batch at its durability. */
    add(batch: Batch): void {
      const isKept = batch.durability === 'process' && !disk?.isRemote
      if (!disk || (isKept && waiting.length === 0)) return endBatch(batch)
      // Its writer does not wait for the disk, but its listeners are called in order.
      if (isKept) batch.settled.resolve()
      waiting.push(batch)
      void sync()
    },
    newest: () => waiting.at(-1),
    /** Waits for the disk, and then ends or rejects all batches. */
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
