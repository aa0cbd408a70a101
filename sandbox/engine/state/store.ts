import { createSignal } from '../core/signal.ts'
import type { Entry, Head } from './entries.ts'
import type { Log, Outlived } from './log.ts'
import type { Read } from './read.ts'
import { refuseSecondEnabled } from './second-enabled.ts'
import { createStagedWorld, type StagedWorld } from './staged-world.ts'
import { createStoredIndexes, type StoredIndexes } from './stored-indexes.ts'
import { createView, type View } from './view.ts'
import { createWrittenBatches, type Batch } from './written-batches.ts'

/** The port that everything stores through. */
export interface Store extends View {
  /** How many entries there are, those still to be made durable included. */
  readonly length: number
  /**
   * Takes all entries at once, so that the next read sees them, and resolves when they are durable. Throws
   * ConflictError, and takes none, if a registration would be the second enabled one of its type and generation.
   */
  commit(entries: readonly Entry[], outlived?: Outlived): Promise<void>
  /** Calls the listener with each entry once it is durable, in order; returns a function that ends it. */
  subscribe(listener: (head: Head) => void): () => void
  /**
   * Everything on record now, oldest first, to be read one by one. Reading on after everything was replaced throws
   * ReplacedError.
   */
  entries(): Iterable<Entry>
  /** Takes these in place of everything, once what is under way is durable. Listeners are not called with them one by one. */
  replace(entries: readonly Entry[]): void
  /** Begins another world beside this one, to take its place. */
  stage(): StagedWorld
  /** Makes durable what is not yet, and closes the log. */
  close(): void
}

/** What was read is not there any more. */
class ReplacedError extends Error {
  override readonly name = 'ReplacedError'
}

/** `soon` runs a task after the work at hand, so that all commits made meanwhile become durable in one write. */
export function createStore(log: Log, soon: (run: () => void) => void): Store {
  const indexes = createStoredIndexes(log)
  let batch: Batch | undefined
  const durable = createSignal<Head>()
  const writtenBatches = createWrittenBatches({ log, emit: durable.emit, onSynced: flush })

  function flush(): void {
    if (!batch) return
    const written = batch
    batch = undefined
    try {
      log.append(written.entries)
    } catch (error) {
      // Nothing was kept: go back to what is durable, so that nobody builds on what was lost.
      indexes.reload()
      return written.settled.reject(error)
    }
    void indexes.keepSoon()
    writtenBatches.add(written)
  }

  function commit(entries: readonly Entry[], outlived: Outlived = 'machine'): Promise<void> {
    for (const { head } of entries) refuseSecondEnabled(indexes.present, head)
    if (!batch && !writtenBatches.isSyncing) soon(flush)
    batch = addToBatch(batch, entries, outlived)
    for (const { head } of entries) indexes.apply(head)
    return batch.settled.promise
  }

  /** A listener to what is durable may commit more. */
  function flushed(): Log {
    while (batch) flush()
    writtenBatches.endNow()
    return log
  }

  const read = createRead(log, () => batch)
  return {
    ...createView(() => indexes.present, read),
    get length() {
      return log.length + (batch?.entries.length ?? 0)
    },
    commit,
    subscribe: durable.subscribe,
    entries() {
      while (batch) flush()
      return readEntries(log, { end: log.length, began: indexes.present.epoch }, () => indexes.present.epoch)
    },
    replace(entries) {
      flushed().replace(entries)
      indexes.reload()
    },
    stage: () => createStagedWorld(log, { indexes, flushed }),
    close: () => closeLog(flushed(), indexes),
  }
}

function closeLog(log: Log, indexes: Pick<StoredIndexes, 'keepLast'>): void {
  indexes.keepLast()
  log.close()
}

/** What is to be made durable still can be read, too. */
function createRead(log: Log, batch: () => Batch | undefined): Read {
  return (position) => batch()?.entries[position - log.length - 1] ?? log.read(position)
}

/** The batch with these entries, a new one if there is none. */
function addToBatch(batch: Batch | undefined, entries: readonly Entry[], outlived: Outlived): Batch {
  const joined = batch ?? { entries: [], outlived, settled: Promise.withResolvers<void>() }
  for (const entry of entries) joined.entries.push(entry)
  if (outlived === 'machine') joined.outlived = outlived
  return joined
}

interface ReadMoment {
  readonly end: number
  readonly began: number
}

/** Those up to an end, and none that came later. */
function* readEntries(log: Log, { end, began }: ReadMoment, epoch: () => number): Iterable<Entry> {
  for (let position = 1; position <= end; position++) {
    if (epoch() !== began) throw new ReplacedError('Cannot read on: everything was replaced meanwhile')
    yield log.read(position)
  }
}
