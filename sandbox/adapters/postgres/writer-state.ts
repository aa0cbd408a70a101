import type { StorageError } from '../../engine/state/log.ts'

/** Why nothing is written, and who waits for it to be otherwise. */
export interface WriterState {
  readonly problem: StorageError | undefined
  /** Whether `clear` may be called: it would write again. */
  isBack: boolean
  /** Rejects with the next problem. */
  readonly cut: Promise<never>
  set(problem: StorageError): void
  /** Tells that it is back, and leaves the rest to `clear`. */
  back(): void
  clear(): void
  onChange(listener: (problem: StorageError | undefined) => void): void
}

export function createWriterState(): WriterState {
  let problem: StorageError | undefined
  let listener: (problem: StorageError | undefined) => void = () => {}
  let cut = createQuiet<never>()
  const state: WriterState = {
    isBack: false,
    get problem() {
      return problem
    },
    get cut() {
      return cut.promise
    },
    set(next) {
      problem = next
      state.isBack = false
      const { reject } = cut
      cut = createQuiet()
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
  return state
}

/** A promise that may be rejected while nobody waits for it. */
export function createQuiet<Result = void>(): PromiseWithResolvers<Result> {
  const quiet = Promise.withResolvers<Result>()
  quiet.promise.catch(() => {})
  return quiet
}
