import type { RealTime } from '../core/ports.ts'
import type { Store } from '../state/store.ts'

/**
 * How long a step waits, in real time, for the first attempts of the one before: long enough for a healthy receiver to see
 * the notifications of a payment in their order, and short enough that one that hangs holds up nobody else. Ours.
 */
const LONGEST_WAIT_MS = 1_000

/** Knows which jobs were not attempted yet. */
export interface FirstAttempts {
  /** Resolves when each job of this moment was attempted once, or when waiting longer would hold up others. */
  ended(): Promise<void>
  /** Looks no more. */
  stop(): void
}

export function watchFirstAttempts(store: Store, realTime: RealTime): FirstAttempts {
  const unattempted = new Set<string>()
  const stop = store.subscribe((head) => {
    if (head.kind === 'job') unattempted.add(head.id)
    if (head.kind === 'attempt' || head.kind === 'cancellation') unattempted.delete(head.job_id)
  })
  return {
    stop,
    async ended() {
      const jobs = new Set(unattempted)
      if (jobs.size === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const cancel = realTime.after(LONGEST_WAIT_MS, resolve)
      const unsubscribe = store.subscribe((head) => {
        const isOver = head.kind === 'attempt' || head.kind === 'cancellation'
        if (isOver && jobs.delete(head.job_id) && jobs.size === 0) resolve()
      })
      await promise
      cancel()
      unsubscribe()
    },
  }
}
