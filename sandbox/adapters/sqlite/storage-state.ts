import { createSignal } from '../../engine/core/signal.ts'
import { isTemporary, StorageError } from '../../engine/state/storage-error.ts'

/** Whether a store takes changes. */
export interface StorageState {
  /** Why it takes none; undefined if it does. Only `full` can end without a restart. */
  readonly problem: StorageError | undefined
  /** Notes an error of a write; anything but a StorageError is a bug, and is not noted. */
  fail(error: unknown): void
  clear(): void
  /** Calls the listener whenever the problem changes; returns a function that ends it. */
  onChange(listener: (problem: StorageError | undefined) => void): () => void
}

export function createStorageState(): StorageState {
  const changed = createSignal<StorageError | undefined>()
  let problem: StorageError | undefined

  function set(next: StorageError | undefined): void {
    problem = next
    changed.emit(next)
  }

  return {
    get problem() {
      return problem
    },
    fail(error) {
      if (!(error instanceof StorageError) || (problem && !isTemporary(problem))) return
      // The same problem again is no news.
      if (problem === undefined || !isTemporary(error)) set(error)
    },
    clear: () => set(undefined),
    onChange: changed.subscribe,
  }
}
