import type { Stopwatch } from './stopwatch.ts'

/** What has hung once is waited for so long; a run has hundreds of looks at effects. Real milliseconds. */
const AFTER_A_HANG_MS = 2_000
/** A timer may be over a little before its time. */
const EARLY_MS = 10

/** Runs work, which is handed how long it may take. */
export type Limit = <Result>(work: (timeoutMs: number) => Promise<Result>) => Promise<Result>

/** Work may take so long; after it has failed for taking all of it, less, until some has ended sooner again. */
export function createHangLimit(timeoutMs: number, { elapsed }: Pick<Stopwatch, 'elapsed'>): Limit {
  let hasHung = false
  return async (work) => {
    const most = hasHung ? Math.min(timeoutMs, AFTER_A_HANG_MS) : timeoutMs
    const began = elapsed()
    try {
      const result = await work(most)
      hasHung = false
      return result
    } catch (error) {
      hasHung = elapsed() - began >= most - EARLY_MS
      throw error
    }
  }
}
