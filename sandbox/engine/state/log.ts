import type { Entry, Head } from './entries.ts'

/**
 * What entries outlive once they are kept: a crash of the process, or of the whole machine, too, which takes the disk's time.
 */
export type Outlived = 'process' | 'machine'

/** What somebody computed of the entries up to a position, so as not to read them again. */
export interface Checkpoint {
  readonly position: number
  readonly bytes: Uint8Array
}

/** Where entries are kept, in order. A driver knows nothing of what they mean. */
export interface Log {
  /**
   * Whether it keeps entries elsewhere. Then `append` only takes them in: they outlive the process, too, when the `sync` that
   * follows in the same turn has resolved, and are gone from the log when it rejects.
   */
  readonly isRemote?: boolean
  /**
   * Calls the listener with why it takes no entries any more, when that shows without a write, and with nothing when `recover` will
   * do. Left out by a log that says so by its next write.
   */
  onProblem?: (listener: (problem: StorageError | undefined) => void) => void
  /** How many entries there are; the next one gets this number plus one. */
  readonly length: number
  /** Keeps all of them or, if it throws, none. When it returns they outlive a crash of the process. */
  append(entries: readonly Entry[]): void
  /**
   * Resolves when what was appended so far outlives a crash of the machine, too, which takes the disk's time. Left out by a log that
   * knows no such difference.
   */
  sync?: () => Promise<void>
  /** The same, and waits for it. */
  syncNow?: () => void
  /**
   * After it threw StorageError `full` or `away`: returns once it takes entries again, and those it has outlive a crash of the machine.
   * They may be more than after it threw: what was under way may have been kept. Throws StorageError as long as it does not. A log that
   * leaves it out says so by its next `append`.
   */
  recover?: () => void
  /** Keeps these in place of all others or, if it throws, changes nothing. Left out by a log that is remote. */
  replace?: (entries: readonly Entry[]) => void
  /** Begins what is to take the place of all entries, beside them. Left out by a log for which `replace` does as well. */
  stage?: () => StagedEntries
  /** The entry with this number. Throws if there is none. */
  read(position: number): Entry
  /** Every head behind the first `after` entries; every one if left out. */
  heads(after?: number): Iterable<Head>
  /** Whether a checkpoint is there when the log is opened again. */
  readonly keepsCheckpoints: boolean
  /** What was kept last, as a copy for whoever asks; undefined if there is nothing, or if it is in any doubt. */
  readCheckpoint(): Checkpoint | undefined
  /** Keeps it in place of the one before. `replace` drops it. */
  writeCheckpoint(checkpoint: Checkpoint): void
  close(): void
  /** Once it was closed: resolves when what had to be said elsewhere was said. Never rejects. */
  readonly closed?: Promise<void>
}

/** A log that keeps entries where it runs. */
export type LocalLog = Log & { readonly replace: NonNullable<Log['replace']> }

/** What is kept beside the entries of a log, until it takes their place or is forgotten. */
export interface StagedEntries {
  /** Keeps these behind those that were added before. */
  add(entries: readonly Entry[]): void
  /** For a remote log: resolves when they are kept elsewhere, beside the others. */
  prepare?: () => Promise<void>
  /**
   * For a remote log, before `publish`, when all that was appended is kept and nothing is appended meanwhile: resolves when they have
   * taken the place of the others elsewhere, and rejects when it is known that they have not.
   */
  commit?: () => Promise<void>
  /** From now on these are the entries of the log, or the others still if it throws. */
  publish(): void
  discard(): void
}

/**
 * `full`: there is no room, and may be later. `away`: it cannot be reached, and may be later. `unusable`: it may not be written, or
 * another program has it. `damaged`: what is in it is not what was written. `gone`: it was deleted or replaced. `fenced`: another
 * node writes it now. `failed`: the disk does not do what it should.
 */
export type StorageErrorKind = 'full' | 'away' | 'unusable' | 'damaged' | 'gone' | 'fenced' | 'failed'

/** The log cannot take or give entries. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly kind: StorageErrorKind
  /** What is wrong, without where and what to do about it. */
  readonly detail: string

  constructor(
    kind: StorageErrorKind,
    message: string,
    { detail = message, ...options }: ErrorOptions & { readonly detail?: string } = {},
  ) {
    super(message, options)
    this.kind = kind
    this.detail = detail
  }
}

/** Whether it ends by itself. */
export function passes({ kind }: StorageError): boolean {
  return kind === 'full' || kind === 'away'
}

/**
 * Whether the next write says so by itself: there is no room, or somebody else is at it. A disk that fails may forget what it could
 * not keep, and say nothing of it the next time.
 */
export function recurs(error: unknown): boolean {
  return error instanceof StorageError && (passes(error) || error.kind === 'unusable')
}

/** The body of an entry is not what was written, and its head is. */
export class CorruptBodyError extends StorageError {
  readonly head: Head

  constructor(message: string, { head, detail }: { readonly head: Head; readonly detail: string }) {
    super('damaged', message, { detail })
    this.head = head
  }
}

/** What `read` gives; undefined if the store does not have it as it was written. */
export function readIfWhole<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'damaged') return undefined
    throw error
  }
}

/** Keeps entries for as long as the process lives. */
export function createMemoryLog(): LocalLog {
  let entries: Entry[] = []
  return {
    get length() {
      return entries.length
    },
    append(added) {
      for (const entry of added) entries.push(entry)
    },
    replace(others) {
      entries = [...others]
    },
    read(position) {
      const entry = entries[position - 1]
      if (!entry) throw new RangeError(`Cannot read entry ${position}: the log has ${entries.length}`)
      return entry
    },
    *heads(after = 0) {
      for (let index = after; index < entries.length; index++) {
        const entry = entries[index]
        if (entry) yield entry.head
      }
    },
    keepsCheckpoints: false,
    readCheckpoint: () => undefined,
    writeCheckpoint() {},
    close() {},
  }
}
