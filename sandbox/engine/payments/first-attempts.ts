import type { RealTime } from '../core/ports.ts'
import type { Head, Payment } from '../state/entries.ts'
import type { Store } from '../state/store.ts'

/** The maximum real time, in milliseconds, that a payment waits for an unresponsive receiver. Hookbench chose this limit. */
const MAX_WAIT_MS = 1_000

export function createFirstAttempts(store: Store, realTime: RealTime) {
  /** The object of each job whose first attempt has not ended. */
  const objectByJob = new Map<string, string>()
  const waiting = new Set<() => void>()
  const unsubscribe = store.subscribe((head) => {
    if (head.kind === 'job') objectByJob.set(head.id, head.object_id)
    const jobId = attemptedJobId(head)
    if (jobId !== undefined) objectByJob.delete(jobId)
  })

  return {
    takeUp(): void {
      for (const ordinal of store.dueJobs()) {
        const job = store.jobAt(ordinal)
        if (job?.first_ended_at === null) objectByJob.set(job.id, job.object_id)
      }
    },
    stop(): void {
      unsubscribe()
      for (const end of waiting) end()
    },
    /** Resolves when each existing job of the payment has had its first attempt. Also resolves after the maximum wait and on `stop`. */
    async ended({ objects, participants }: Payment): Promise<void> {
      const ids = new Set([...Object.values(objects), ...Object.values(participants)])
      const jobs = new Set([...objectByJob].flatMap(([id, object]) => (ids.has(object) ? id : [])))
      if (jobs.size === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const cancel = realTime.after(MAX_WAIT_MS, resolve)
      waiting.add(resolve)
      const end = store.subscribe((head) => {
        const jobId = attemptedJobId(head)
        if (jobId !== undefined && jobs.delete(jobId) && jobs.size === 0) resolve()
      })
      await promise
      waiting.delete(resolve)
      cancel()
      end()
    },
  }
}

function attemptedJobId(head: Head): string | undefined {
  const isOver = (head.kind === 'attempt' && head.reason !== 'interrupted') || head.kind === 'cancellation'
  return isOver ? head.job_id : undefined
}
