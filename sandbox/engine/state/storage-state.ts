import { createSignal } from '../core/signal.ts'
import { passes, StorageError } from './log.ts'

/** Whether a log takes entries. */
export interface StorageState {
  /** Why it takes none; undefined if it does. `full` and `away` end by themselves, any other is final. */
  readonly problem: StorageError | undefined
  /** Takes in what a write has thrown, unless that is a bug. */
  fail(error: unknown): void
  /** Whether it ends by itself, or there is none. */
  readonly mayGoOn: boolean
  /** Writes, unless there is a problem, which is thrown; one of this write is, too. */
  guard<Result>(write: () => Result): Result
  /** It takes entries again. */
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

  const mayGoOn = () => problem === undefined || passes(problem)

  function fail(error: unknown): void {
    if (!(error instanceof StorageError) || !mayGoOn()) return
    // As before: nobody need be told twice.
    if (problem === undefined || !passes(error)) set(error)
  }

  return {
    get problem() {
      return problem
    },
    get mayGoOn() {
      return mayGoOn()
    },
    fail,
    guard(write) {
      if (problem) throw problem
      try {
        return write()
      } catch (error) {
        fail(error)
        throw error
      }
    },
    clear: () => set(undefined),
    onChange: changed.subscribe,
  }
}
