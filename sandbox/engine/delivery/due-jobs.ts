import type { Clock } from '../core/ports.ts'
import type { JobRecord } from '../state/job.ts'
import type { Store } from '../state/store.ts'

type DueJob = Pick<JobRecord, 'ordinal' | 'next_due_at'>

interface DueStore<Job> extends Pick<Store, 'dueJobs' | 'nextDueAt' | 'jobCount'> {
  readonly jobAt: (ordinal: number) => Job | undefined
}

/** Calls `onDue` with each job at its due time. Due times come from the store. A single timer waits for the next due time. */
export function createDueJobs<Job extends DueJob>(
  clock: Clock,
  store: DueStore<Job>,
  onDue: (job: Job) => void,
) {
  /** The time up to which `onDue` was called for all due jobs. */
  let rungAt = Number.NEGATIVE_INFINITY
  let durableJobs = 0
  let next: number | undefined
  let cancelWake = () => {}
  let isActive = false

  function wakeAt(time: number | undefined): void {
    cancelWake()
    next = time
    cancelWake = time === undefined ? () => {} : clock.wakeAt(time, ring)
  }

  function ring(): void {
    const now = clock.now()
    if (!isActive || next === undefined || next > now) return
    const due = store.dueJobs(rungAt, now)
    rungAt = now
    wakeAt(store.nextDueAt(now))
    for (const ordinal of due) {
      // Skips a job that is not yet durable. The job is added later, when it is durable.
      const job = ordinal < durableJobs ? store.jobAt(ordinal) : undefined
      if (job) onDue(job)
    }
  }

  return {
    start(): void {
      isActive = true
      durableJobs = store.jobCount()
      next = Number.NEGATIVE_INFINITY
      ring()
    },
    /** Adds a durable job. Calls `onDue` immediately if the job is already due. */
    add(job: Job): void {
      const dueAt = job.next_due_at
      durableJobs = Math.max(durableJobs, job.ordinal + 1)
      if (dueAt === null || !isActive) return
      if (dueAt <= clock.now()) onDue(job)
      else if (next === undefined || dueAt < next) wakeAt(dueAt)
    },
    nextDueAt: () => next,
    ring,
    stop(): void {
      isActive = false
      cancelWake()
    },
  }
}
