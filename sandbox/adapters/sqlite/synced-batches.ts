import { errorMessage } from '../../../spec/errors.ts'
import { StorageError } from '../../engine/state/storage-error.ts'
import type { Durability } from '../../engine/state/store.ts'
import type { Disk } from './disk.ts'
import type { StoreHead } from './head-file.ts'

/** The writes of one transaction. */
export interface Batch {
  /** The most that any of them asks for. */
  durability: Durability
  /** Called when the batch is durable, in this order. */
  readonly emits: (() => void)[]
  readonly settled: PromiseWithResolvers<void>
}

export function emptyBatch(durability: Durability): Batch {
  return { durability, emits: [], settled: Promise.withResolvers<void>() }
}

/** Committed batches, until they are durable. */
export interface SyncedBatches {
  /** While true, further writes wait in the open transaction, until `onSynced`. */
  readonly isSyncing: boolean
  /** Settles the batch when it is as durable as it asks for. Batches end in their order. */
  add(batch: Batch): void
  /** Waits for the disk, and ends all batches. Throws StorageError. A disk that has failed is not asked again: it may forget. */
  endNow(): void
  /** Ends all batches, after the disk has recovered. */
  endRecovered(): void
}

interface SyncedBatchesPorts {
  readonly disk: Pick<Disk, 'sync' | 'syncNow'> | undefined
  readonly head: () => StoreHead
  readonly onSynced: () => void
  readonly onFailed: (problem: StorageError) => void
}

/** What is committed during a wait for the disk is written at its end: a few large writes instead of many small ones. */
export function createSyncedBatches({ disk, head, onSynced, onFailed }: SyncedBatchesPorts): SyncedBatches {
  const waiting = createWaitingBatches()
  let isSyncing = false
  let hasFailed = false

  /** After a failed sync the disk may have lost anything written, so no batch is acknowledged. */
  function fail(error: unknown): StorageError {
    hasFailed = true
    const problem = toFailure(error)
    waiting.reject(problem)
    onFailed(problem)
    return problem
  }

  /** Never rejects: a failure rejects the batches. */
  async function sync(to: Pick<Disk, 'sync'>): Promise<void> {
    isSyncing = true
    const endThese = waiting.present()
    await to.sync(head()).then(endThese, fail)
    // First, so that a write at the end of a batch does not wait for a sync that is over.
    isSyncing = false
    onSynced()
    startSync()
  }

  function startSync(): void {
    if (disk && !isSyncing && !hasFailed && waiting.count > 0) void sync(disk)
  }

  return {
    get isSyncing() {
      return isSyncing
    },
    add(batch) {
      const isKept = batch.durability === 'process'
      if (!disk || (isKept && waiting.count === 0)) return endBatch(batch)
      // Its writer does not wait for the disk. Its listeners are called in order.
      if (isKept) batch.settled.resolve()
      waiting.add(batch)
      startSync()
    },
    endNow() {
      if (!disk || waiting.count === 0 || hasFailed) return
      try {
        disk.syncNow(head())
      } catch (error) {
        throw fail(error)
      }
      waiting.end()
    },
    endRecovered() {
      hasFailed = false
      waiting.end()
    },
  }
}

/** Batches that are committed and not durable yet, in their order. */
function createWaitingBatches() {
  let batches: Batch[] = []
  return {
    get count() {
      return batches.length
    },
    add: (batch: Batch) => void batches.push(batch),
    /** Returns a function that ends the batches of now, unless all were ended at once meanwhile. */
    present(): () => void {
      const [list, covered] = [batches, batches.length]
      return () => {
        if (list === batches) list.splice(0, covered).forEach(endBatch)
      }
    },
    end(): void {
      const ended = batches
      batches = []
      ended.forEach(endBatch)
    },
    reject(problem: StorageError): void {
      for (const { settled } of batches) settled.reject(problem)
    },
  }
}

function endBatch({ emits, settled }: Batch): void {
  for (const emit of emits) emit()
  settled.resolve()
}

function toFailure(cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause
  return new StorageError('failed', `Cannot write the store: ${errorMessage(cause)}`, { cause })
}
