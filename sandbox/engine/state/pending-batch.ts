import type { Entry } from './entries.ts'
import type { Outlived } from './log.ts'
import type { Batch } from './written-batches.ts'

/** What is gathered until it is written. */
export interface PendingBatch {
  readonly batch: Batch | undefined
  /** Resolves when the batch that has them is settled. */
  add(entries: readonly Entry[], outlived: Outlived): Promise<void>
  /** What is gathered from now on is another batch. */
  take(): Batch | undefined
}

export function createPendingBatch(): PendingBatch {
  let batch: Batch | undefined
  return {
    get batch() {
      return batch
    },
    add(entries, outlived) {
      batch ??= { entries: [], outlived, settled: Promise.withResolvers<void>() }
      for (const entry of entries) batch.entries.push(entry)
      if (outlived === 'machine') batch.outlived = outlived
      return batch.settled.promise
    },
    take() {
      const taken = batch
      batch = undefined
      return taken
    },
  }
}
