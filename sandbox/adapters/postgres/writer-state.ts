import type { StorageError } from '../../engine/state/log.ts'

/** Why nothing is written, and who waits for it to be otherwise. */
export interface WriterState {
  readonly problem: StorageError | undefined
  /** Whether `clear` may be called: it would write again. */
  isBack: boolean
  /** What the statement comes to; rejects with the next problem if that comes before. One at a time. */
  untilProblem<Result>(statement: Promise<Result>): Promise<Result>
  set(problem: StorageError): void
  /** Tells that it is back, and leaves the rest to `clear`. */
  back(): void
  clear(): void
  onChange(listener: (problem: StorageError | undefined) => void): void
}

export function createWriterState(): WriterState {
  let problem: StorageError | undefined
  let listener: (problem: StorageError | undefined) => void = () => {}
  let cut: (problem: StorageError) => void = () => {}
  const state: WriterState = {
    isBack: false,
    get problem() {
      return problem
    },
    untilProblem,
    set(next) {
      problem = next
      state.isBack = false
      const reject = cut
      cut = () => {}
      listener(next)
      reject(next)
    },
    back() {
      state.isBack = true
      listener(undefined)
    },
    clear() {
      problem = undefined
      state.isBack = false
    },
    onChange(next) {
      listener = next
    },
  }
  // No race with a promise for whatever problem comes next: that one would keep something of every statement until then.
  function untilProblem<Result>(statement: Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    cut = reject
    void statement.then(resolve, reject).finally(() => cut === reject && (cut = () => {}))
    return promise
  }

  return state
}

/** A promise that may be rejected while nobody waits for it. */
export function createQuiet<Result = void>(): PromiseWithResolvers<Result> {
  const quiet = Promise.withResolvers<Result>()
  quiet.promise.catch(() => {})
  return quiet
}
