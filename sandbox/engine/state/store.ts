import type { Entry, Head } from './entries.ts'
import type { StorageError } from './storage-error.ts'
import type { View } from './view.ts'

/** A write survives a crash of the process, or also of the machine, for which it waits for the disk. */
export type Durability = 'process' | 'machine'

/** One world of a store, to read and to write. */
export interface Store extends View {
  /** The number of entries, including those that are not durable yet. */
  readonly length: number
  /** Why the store takes no changes at present; undefined if it does. Only `full` can end without a restart. */
  readonly problem: StorageError | undefined
  /** Calls the listener whenever the problem changes; returns a function that ends it. */
  onProblem(listener: (problem: StorageError | undefined) => void): () => void
  /** Takes changes again if a disk that was full has room. */
  recover(): void
  /**
   * Writes all entries in one transaction, so that the next read sees them, and resolves when they are durable. Throws
   * ConflictError, and writes none, if a registration would be the second enabled one of its type and generation. Rejects with
   * StorageError if they cannot be kept, and at once while there is a problem.
   */
  commit(entries: readonly Entry[], durability?: Durability): Promise<void>
  /**
   * Resolves when everything that was read so far may be shown, which a standby must have before; undefined without one. Rejects with
   * StorageError.
   */
  confirmed(): Promise<void> | undefined
  /** Calls the listener with each entry once it is durable, in order; returns a function that ends it. */
  subscribe(listener: (head: Head) => void): () => void
  /** Commits the open transaction. On failure its entries are gone, and there is a problem. */
  writeNow(): void
  /**
   * Every entry on record now, oldest first. Reading on after the world was replaced throws ReplacedError.
   */
  entries(): Iterable<Entry>
  /** The world at any earlier instant, since it was replaced last. */
  readonly past: PastWorld
  /** Begins another world, to take the place of this one. */
  stage(): StagedWorld
  /** Makes everything durable, and closes the store. */
  close(): void
}

/** The world that is read was replaced by another one. */
export class ReplacedError extends Error {
  override readonly name = 'ReplacedError'
}

/** A world that is to take the place of another one. */
export interface StagedWorld {
  /** The latest sandbox time and the speed of the clock on record. */
  clock(): { readonly latestAt: number; readonly speed?: number | undefined }
  /** Adds entries. Throws ConflictError for a second enabled registration of a type, or an id that is there already. */
  add(entries: readonly Entry[]): void
  /** Resolves when most of it is durable, so that `publish` does not wait long. */
  prepare(): Promise<void>
  /**
   * Takes the place of the present world when the transaction under way is durable, and calls back in the same turn. Rejects if it
   * cannot, and nothing has changed then. Resolves when the change is durable.
   */
  publish(onPublished: () => void): Promise<void>
  /** Removes it, unless it was published. */
  discard(): void
}

/** Worlds of the past, made from the history when somebody looks. */
export interface PastWorld {
  /**
   * Calls `read` with the world at an instant: everything on record before the first later entry. The view holds until `read`
   * returns. One call runs at a time.
   */
  at<Result>(instant: number, read: (view: View) => Result): Promise<Result>
  /** The instant of the first entry; undefined if there is none. */
  beginsAt(): number | undefined
  /** The instants of at most so many entries, evenly distributed, each once; the last is one of them. */
  instants(most: number): number[]
  /** Frees the memory. */
  forget(): void
}
