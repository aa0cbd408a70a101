import { createSignal } from '../core/signal.ts'
import type { Entry, Head } from './entries.ts'
import { createGroupCommit } from './group-commit.ts'
import type { Log, Outlived, StorageError } from './log.ts'
import { createPastWorld, type PastWorld } from './past-world.ts'
import type { Read } from './read.ts'
import { refuseSecondEnabled } from './second-enabled.ts'
import { createStagedWorld, type StagedWorld } from './staged-world.ts'
import { createStoredIndexes, type CheckpointDistances } from './stored-indexes.ts'
import { createView, type View } from './view.ts'
import type { Batch } from './written-batches.ts'

/** The port that everything stores through. */
export interface Store extends View {
  /** How many entries there are, those still to be made durable included. */
  readonly length: number
  /** Why it takes no changes at present; undefined if it does. `full` and `away` end by themselves, any other is final. */
  readonly problem: StorageError | undefined
  /** Calls the listener whenever that changes; returns a function that ends it. */
  onProblem(listener: (problem: StorageError | undefined) => void): () => void
  /** Looks whether there is room again, if there was none, or whether the log can be reached again. */
  recover(): void
  /**
   * Takes all entries at once, so that the next read sees them, and resolves when they are durable. Throws
   * ConflictError, and takes none, if a registration would be the second enabled one of its type and generation. Rejects with
   * StorageError if they cannot be kept, and at once while there is a problem.
   */
  commit(entries: readonly Entry[], outlived?: Outlived): Promise<void>
  /** Calls the listener with each entry once it is durable, in order; returns a function that ends it. */
  subscribe(listener: (head: Head) => void): () => void
  /** Writes what is committed and not written yet. Where that cannot be kept, there is a problem then, and what was seen of it is gone. */
  writeNow(): void
  /**
   * Everything on record now, oldest first, to be read one by one. Reading on after everything was replaced throws
   * ReplacedError.
   */
  entries(): Iterable<Entry>
  /** The world as it was at any instant since everything was replaced. */
  readonly past: PastWorld
  /** Begins another world beside this one, to take its place. */
  stage(): StagedWorld
  /** Makes durable what is not yet, and closes the log. */
  close(): void
  /** Once it was closed: resolves when the log has said elsewhere what it had to. */
  closed(): Promise<void>
}

/** What was read is not there any more. */
class ReplacedError extends Error {
  override readonly name = 'ReplacedError'
}

/** `soon` runs a task after the work at hand, so that all commits made meanwhile become durable in one write. */
export function createStore(
  log: Log,
  soon: (run: () => void) => void,
  distances?: CheckpointDistances,
): Store {
  // What a killed process has written need not be safe from a loss of power yet, and is built on from now on.
  if (log.length > 0) log.syncNow?.()
  const indexes = createStoredIndexes(log, distances)
  const epoch = () => indexes.present.epoch
  const durable = createSignal<Head>()
  const writer = createGroupCommit({ log, indexes, soon, emit: durable.emit })

  /** A listener to what is durable may commit more. */
  function flushed(): Log {
    writer.flush()
    return log
  }

  const read = createRead(log, () => writer.batch)
  return {
    ...createView(() => indexes.present, read),
    get length() {
      return log.length + (writer.batch?.entries.length ?? 0)
    },
    get problem() {
      return writer.state.problem
    },
    onProblem: writer.state.onChange,
    recover: writer.recover,
    commit(entries, outlived = 'machine') {
      if (writer.state.problem) return Promise.reject(writer.state.problem)
      for (const { head } of entries) refuseSecondEnabled(indexes.present, head)
      return writer.commit(entries, outlived)
    },
    subscribe: durable.subscribe,
    writeNow: writer.write,
    past: createPastWorld(log, { epoch, flush: writer.write, soon }),
    entries() {
      writer.write()
      return readEntries(log, { end: log.length, began: epoch() }, epoch)
    },
    stage: () => createStagedWorld(log, { ...writer.state, ...writer, indexes, flushed }),
    close() {
      try {
        flushed()
        if (!writer.state.problem) indexes.keepLast()
      } finally {
        log.close()
      }
    },
    closed: async () => log.closed,
  }
}

/** What is to be made durable still can be read, too. */
function createRead(log: Log, batch: () => Batch | undefined): Read {
  return (position) => batch()?.entries[position - log.length - 1] ?? log.read(position)
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
