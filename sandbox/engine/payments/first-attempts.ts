import type { RealTime } from '../core/ports.ts'
import type { Head } from '../state/entries.ts'
import type { JobRecord } from '../state/job.ts'
import type { Payment } from '../state/payment.ts'
import type { Store } from '../state/store.ts'

/**
 * How long a step waits, in real time, for the first attempts of the one before: long enough for a healthy receiver to see
 * the notifications of a payment in their order, and short enough that the payment goes on although its receiver hangs. Ours.
 */
const LONGEST_WAIT_MS = 1_000

/** Knows which jobs were not attempted yet. */
export interface FirstAttempts {
  /** Takes up those that the store has from earlier. */
  takeUp(): void
  /** Resolves when each job about an object of the payment was attempted once that is there now, or when it waited long enough. */
  ended(payment: Payment): Promise<void>
  /** Looks no more. */
  stop(): void
}

export function createFirstAttempts(store: Store, realTime: RealTime): FirstAttempts {
  const objectByJob = new Map<string, string>()
  const jobsByObject = new Map<string, Set<string>>()
  const stop = store.subscribe((head) => {
    if (head.kind === 'job') add(head)
    const jobId = attemptedJobId(head)
    if (jobId !== undefined) remove(jobId)
  })

  function add({ id, object_id }: Pick<JobRecord, 'id' | 'object_id'>): void {
    objectByJob.set(id, object_id)
    const jobs = jobsByObject.get(object_id)
    if (jobs) jobs.add(id)
    else jobsByObject.set(object_id, new Set([id]))
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
    takeUp() {
      for (const { ordinal } of store.dueJobs()) {
        const job = store.jobAt(ordinal)
        if (job?.first_ended_at === null) add(job)
      }
    },
    stop,
    async ended(payment) {
      const jobs = new Set(objectIds(payment).flatMap((id) => [...(jobsByObject.get(id) ?? [])]))
      if (jobs.size === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const cancel = realTime.after(LONGEST_WAIT_MS, resolve)
      const unsubscribe = store.subscribe((head) => {
        const jobId = attemptedJobId(head)
        if (jobId !== undefined && jobs.delete(jobId) && jobs.size === 0) resolve()
      })
      await promise
      cancel()
      unsubscribe()
    },
  }
}

/** The job of an attempt that has ended, or of one that was called off; what was cut off is sent again. */
function attemptedJobId(head: Head): string | undefined {
  const isOver = (head.kind === 'attempt' && head.reason !== 'interrupted') || head.kind === 'cancellation'
  return isOver ? head.job_id : undefined
}

/** Whatever its steps may have notified of: its own objects, and those that take part. */
function objectIds({ objects, participants }: Payment): readonly string[] {
  return [...new Set([...Object.values(objects), ...Object.values(participants)])]
}
