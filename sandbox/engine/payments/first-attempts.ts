import type { RealTime } from '../core/ports.ts'
import type { Head, Payment } from '../state/entries.ts'
import type { JobRecord } from '../state/job.ts'
import type { Store } from '../state/store.ts'

/** The maximum real time, in milliseconds, that a payment waits for an unresponsive receiver. Hookbench chose this limit. */
const MAX_WAIT_MS = 1_000

export function createFirstAttempts(store: Store, realTime: RealTime) {
  const objectByJob = new Map<string, string>()
  const jobsByObject = new Map<string, Set<string>>()
  const waiting = new Set<() => void>()
  const unsubscribe = store.subscribe((head) => {
    if (head.kind === 'job') add(head)
    const jobId = attemptedJobId(head)
    if (jobId !== undefined) remove(jobId)
  })

  function add({ id, object_id }: Pick<JobRecord, 'id' | 'object_id'>): void {
    objectByJob.set(id, object_id)
    jobsByObject.set(object_id, (jobsByObject.get(object_id) ?? new Set()).add(id))
  }

  function remove(jobId: string): void {
    const objectId = objectByJob.get(jobId)
    const jobs = objectId === undefined ? undefined : jobsByObject.get(objectId)
    if (objectId === undefined || !jobs) return
    objectByJob.delete(jobId)
    jobs.delete(jobId)
    if (jobs.size === 0) jobsByObject.delete(objectId)
  }

  return {
    takeUp(): void {
      for (const ordinal of store.dueJobs()) {
        const job = store.jobAt(ordinal)
        if (job?.first_ended_at === null) add(job)
      }
    },
    stop(): void {
      unsubscribe()
      for (const end of waiting) end()
    },
    /** Resolves when each existing job of the payment has had its first attempt. Also resolves after the maximum wait and on `stop`. */
    async ended({ objects, participants }: Payment): Promise<void> {
      const ids = [...Object.values(objects), ...Object.values(participants)]
      const jobs = new Set(ids.flatMap((id) => [...(jobsByObject.get(id) ?? [])]))
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
