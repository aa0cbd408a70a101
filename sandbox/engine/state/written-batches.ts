import { errorMessage } from '../../../spec/errors.ts'
import type { Entry, Head } from './entries.ts'
import { StorageError, type Log, type Outlived } from './log.ts'

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
  /** Waits for the disk, and settles all. Throws what the disk says. Once it has failed, it is not asked again: it may forget. */
  endNow(): void
  /** After the disk was full: all of it outlives what it is to, as nobody who waited was told. */
  endRecovered(): void
  /** Resolves when nothing waits any more. Never rejects. */
  settle(): Promise<void>
}

interface WrittenBatchesPorts {
  readonly log: Pick<Log, 'sync' | 'syncNow' | 'isRemote'>
  readonly emit: (head: Head) => void
  readonly onSynced: () => void
  readonly onFailed: (problem: StorageError) => void
}

/** What comes while the disk is waited for is written at once when that is over: a few large writes in place of many small ones. */
export function createWrittenBatches({ log, emit, onSynced, onFailed }: WrittenBatchesPorts): WrittenBatches {
  const { sync, syncNow, isRemote = false } = log
  const waiting = createWaitingBatches(emit)
  let isSyncing = false
  let hasFailed = false
  let syncing: Promise<void> | undefined
  const settle = async (): Promise<void> => (isSyncing ? syncing?.then(settle) : undefined)
  const isKept = ({ outlived }: Batch) => outlived === 'process' && !isRemote

  /** What was written may be lost when the disk forgets what it could not keep: none of it is acknowledged. */
  function fail(error: unknown): StorageError {
    hasFailed = true
    const problem = toFailure(error)
    waiting.reject(problem)
    // It knows what it has kept, and says so when it has recovered.
    if (isRemote) waiting.clear()
    onFailed(problem)
    return problem
  }

  /** Never rejects: a failure rejects what waits for a batch. */
  async function syncAll(wait: () => Promise<void>): Promise<void> {
    isSyncing = true
    const endThese = waiting.present()
    await wait().then(endThese, fail)
    // First, so that what is committed as it ends is not left to a wait that is over.
    isSyncing = false
    onSynced()
    startSync()
  }

  function startSync(): void {
    if (sync && !isSyncing && !hasFailed && waiting.count > 0) syncing = syncAll(sync)
  }

  return {
    get isSyncing() {
      return isSyncing
    },
    add(batch) {
      if (!sync || (isKept(batch) && waiting.count === 0)) return endBatch(batch, emit)
      // Nobody who asks for no more waits for the disk; the heads keep their order.
      if (isKept(batch)) batch.settled.resolve()
      waiting.add(batch)
      startSync()
    },
    endNow() {
      if (waiting.count === 0 || hasFailed || isRemote) return
      orThrow(() => syncNow?.(), fail)
      waiting.end()
    },
    endRecovered() {
      hasFailed = false
      waiting.end()
    },
    settle,
  }
}

/** The batches that are written and do not outlive yet what they are to, in the order of their writing. */
function createWaitingBatches(emit: (head: Head) => void) {
  let batches: Batch[] = []
  const end = (ended: readonly Batch[]) => ended.forEach((batch) => endBatch(batch, emit))
  return {
    get count() {
      return batches.length
    },
    add: (batch: Batch) => void batches.push(batch),
    /** Ends those that are there now, when it is called; nothing if all were ended at once meanwhile. */
    present(): () => void {
      const [list, covered] = [batches, batches.length]
      return () => list === batches && end(list.splice(0, covered))
    },
    end(): void {
      const ended = batches
      batches = []
      end(ended)
    },
    reject(problem: StorageError): void {
      for (const { settled } of batches) settled.reject(problem)
    },
    clear(): void {
      batches = []
    },
  }
}

function endBatch({ entries, settled }: Batch, emit: (head: Head) => void): void {
  for (const { head } of entries) emit(head)
  settled.resolve()
}

function orThrow(run: () => void, toError: (cause: unknown) => Error): void {
  try {
    run()
  } catch (cause) {
    throw toError(cause)
  }
}

function toFailure(cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause
  const detail = errorMessage(cause)
  return new StorageError('failed', `Cannot write the store: ${detail}`, { cause })
}
