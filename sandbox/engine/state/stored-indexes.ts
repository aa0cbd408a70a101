import { releaseBytes } from '../core/release-bytes.ts'
import { decodeCopy, encodeCopy, encodeCopySoon } from './checkpoint.ts'
import type { Head } from './entries.ts'
import { applyEntry } from './entry-kinds.ts'
import { createIndexData, type IndexCopy, type IndexData } from './index-data.ts'
import { createIndexes, type Indexes } from './indexes.ts'
import { recurs, type Checkpoint, type Log } from './log.ts'

/** The indexes of what a log holds, with a checkpoint of them now and then, so that a start replays its tail only. */
export interface StoredIndexes {
  readonly present: Indexes
  /** How many entries they have taken in. */
  readonly length: number
  /** All that they hold, as it is now. */
  copy(): IndexCopy
  /** Takes in the next entry. */
  apply(head: Head): void
  /** Goes back to what the log holds. */
  reload(): void
  /** Takes in what the log holds beyond it; gives the heads. */
  catchUp(): readonly Head[]
  /** Begins the indexes of other entries, which take the place of these when the entries do. */
  stage(): StagedIndexes
  /** Writes a checkpoint beside the work at hand if the last one is far behind. Rejects if the disk fails at it; if it is full, it is done later. */
  keepSoon(): Promise<void>
  /** Writes one at once if it spares a start anything to speak of; nothing is written after it. Throws if the disk fails at it. */
  keepLast(): void
}

export interface StagedIndexes extends Pick<StoredIndexes, 'present' | 'apply'> {
  /** The log holds their entries now. */
  adopt(): void
}

/** How many entries a checkpoint is to spare at least. */
export interface CheckpointDistances {
  readonly running: number
  readonly closing: number
}

/** While it runs, a checkpoint comes after a quarter more entries, too: all of them together take a bounded share of the time. */
const DISTANCES: CheckpointDistances = { running: 50_000, closing: 1_000 }
const SHARE = 1 / 4

export function createStoredIndexes(log: Log, distances = DISTANCES): StoredIndexes {
  let epochs = 1
  let loaded = load(log, epochs)
  let isBusy = false
  let hasEnded = false

  const isDue = (from: number, distance: number) =>
    log.keepsCheckpoints && loaded.length === log.length && log.length - from >= distance

  return {
    get present() {
      return loaded.indexes
    },
    get length() {
      return loaded.length
    },
    copy: () => loaded.data.copy(),
    apply(head) {
      applyEntry(loaded.indexes, head, ++loaded.length)
    },
    reload() {
      loaded = load(log, ++epochs)
    },
    catchUp() {
      const heads = [...log.heads(loaded.length)]
      for (const head of heads) applyEntry(loaded.indexes, head, ++loaded.length)
      return heads
    },
    stage: () =>
      stageIndexes(createEmptyIndexes(++epochs), (staged) => {
        loaded = staged
      }),
    async keepSoon() {
      if (isBusy || !isDue(loaded.triedAt, Math.max(distances.running, loaded.keptAt * SHARE))) return
      isBusy = true
      const [of, position] = [loaded, log.length]
      loaded.triedAt = position
      try {
        const bytes = await encodeCopySoon(of.data.copy())
        if (of === loaded && !hasEnded) keep(log, loaded, { position, bytes })
      } finally {
        isBusy = false
      }
    },
    keepLast() {
      hasEnded = true
      if (isDue(loaded.keptAt, distances.closing))
        keep(log, loaded, { position: log.length, bytes: encodeCopy(loaded.data.copy()) })
    },
  }
}

function keep(log: Log, loaded: LoadedIndexes, checkpoint: Checkpoint): void {
  try {
    log.writeCheckpoint(checkpoint)
    loaded.keptAt = checkpoint.position
  } catch (error) {
    // Without room the next start takes longer. It is tried again when as much has come.
    if (!recurs(error)) throw error
  }
}

function stageIndexes(staged: LoadedIndexes, adopt: (staged: LoadedIndexes) => void): StagedIndexes {
  return {
    present: staged.indexes,
    apply(head) {
      applyEntry(staged.indexes, head, ++staged.length)
    },
    adopt: () => adopt(staged),
  }
}

/** The indexes of the first entries of a log. */
export interface LoadedIndexes {
  readonly data: IndexData
  readonly indexes: Indexes
  /** How many entries are in the indexes. */
  length: number
  /** The position of the last checkpoint; 0 if there is none. */
  keptAt: number
  /** Where the last one was begun while it ran, kept or not. */
  triedAt: number
}

function load(log: Log, epoch: number): LoadedIndexes {
  const loaded = loadCheckpoint(log, epoch) ?? createEmptyIndexes(epoch)
  for (const head of log.heads(loaded.length)) applyEntry(loaded.indexes, head, ++loaded.length)
  return loaded
}

export function createEmptyIndexes(epoch: number): LoadedIndexes {
  const data = createIndexData()
  return { data, indexes: createIndexes(data, epoch), length: 0, keptAt: 0, triedAt: 0 }
}

/** Undefined if there is none that can be relied on: everything is replayed then. */
export function loadCheckpoint(log: Log, epoch: number): LoadedIndexes | undefined {
  const checkpoint = log.readCheckpoint()
  if (!checkpoint || checkpoint.position > log.length) return undefined
  try {
    const loaded = openCheckpoint(checkpoint, epoch)
    releaseBytes(checkpoint.bytes)
    const names = new Set(loaded.data.names())
    const isWhole = createEmptyIndexes(epoch)
      .data.names()
      .every((name) => names.has(name))
    return isWhole ? loaded : undefined
  } catch {
    return undefined
  }
}

/** The indexes as they were when the checkpoint was made. */
export function openCheckpoint({ position, bytes }: Checkpoint, epoch: number): LoadedIndexes {
  const data = createIndexData(decodeCopy(bytes))
  return { data, indexes: createIndexes(data, epoch), length: position, keptAt: position, triedAt: position }
}
