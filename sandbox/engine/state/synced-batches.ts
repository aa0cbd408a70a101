import { errorMessage } from '../../../spec/errors.ts'
import { StorageError } from './storage-error.ts'
import type { Disk, StoreHead } from './disk.ts'

/** A write survives a crash of the process, or also of the machine, for which it waits for the disk. */
export type Durability = 'process' | 'machine'

export interface Batch {
  /** The most that any of them asks for. */
  durability: Durability
  /** Called when the batch is durable, in this order. */
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
  // A disk that has failed is not asked again: the next sync can succeed without the data.
  let hasFailed = false

  /** The disk may have lost anything written, so no batch is acknowledged. */
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

  /** Never rejects: a failure rejects the batches. */
  async function sync(): Promise<void> {
    if (!disk || isSyncing || hasFailed || waiting.length === 0) return
    isSyncing = true
    const [batches, count] = [waiting, waiting.length]
    // Unless all were ended at once meanwhile.
    const endCovered = () => batches === waiting && batches.splice(0, count).forEach(endBatch)
    await disk.sync(head()).then(endCovered, fail)
    // First, so that a write at the end of a batch does not wait for a sync that is over.
    isSyncing = false
    onSynced()
    void sync()
  }

  return {
    /** While true, further writes wait in the open transaction, until `onSynced`. */
    isSyncing: () => isSyncing,
    /** Settles the batch when it is as durable as it asks for. */
    add(batch: Batch): void {
      const isKept = batch.durability === 'process' && !disk?.isRemote
      if (!disk || (isKept && waiting.length === 0)) return endBatch(batch)
      // Its writer does not wait for the disk. Its listeners are called in order.
      if (isKept) batch.settled.resolve()
      waiting.push(batch)
      void sync()
    },
    newest: () => waiting.at(-1),
    /** Waits for the disk, and ends all batches, or rejects them. */
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
