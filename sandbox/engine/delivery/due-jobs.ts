import { createDueTimer, type DueTimer } from '../core/due-timer.ts'
import type { Clock } from '../core/ports.ts'
import type { JobRecord } from '../state/job.ts'
import type { DueJob } from '../state/queries/jobs.ts'
import type { Store } from '../state/store.ts'

/** Calls back with each job when it is due. Later due times stay in the store until they are the next ones. */
export interface DueJobs extends Pick<DueTimer, 'nextDueAt' | 'ring' | 'stop'> {
  start(): void
  /** Notes when the next attempt of a job is due, if any follows. The job is durable. */
  add(job: Pick<JobRecord, 'ordinal' | 'next_due_at'>): void
}

export interface DueJobsPorts {
  readonly clock: Clock
  readonly store: {
    /** By due time, or all in any order. */
    readonly dueJobs: (until?: number, limit?: number) => Iterable<DueJob>
    readonly jobCount: Store['jobCount']
  }
  /** The number of jobs that this has called back with and that are due in the store still. */
  readonly countQueued: () => number
  readonly onDue: (ordinal: number) => void
  readonly pageSize?: number
}

const PAGE_SIZE = 1_000

export function createDueJobs({
  clock,
  store,
  countQueued,
  onDue,
  pageSize = PAGE_SIZE,
}: DueJobsPorts): DueJobs {
  const timer = createDueTimer(clock, onDue, readNext)
  /** The timer has all due times until then. */
  let horizon = Number.POSITIVE_INFINITY
  let durableJobs = 0

  function* readNext(): Iterable<DueJob> {
    if (horizon === Number.POSITIVE_INFINITY) return
    const before = horizon
    // Queued jobs come first again, so more jobs are read when more are queued.
    const limit = pageSize + 2 * countQueued()
    let due = [...store.dueJobs(undefined, limit)]
    const last = due.reduce((latest, { dueAt }) => Math.max(latest, dueAt), before)
    const isPart = due.length >= limit && last > before
    horizon = isPart ? Math.max(last, clock.now()) : Number.POSITIVE_INFINITY
    // Many may be due at the same instant: all of them are read.
    if (due.length >= limit) due = [...store.dueJobs(isPart ? horizon : undefined)]
    for (const each of due) if (each.dueAt > before && each.ordinal < durableJobs) yield each
  }

  return {
    ...timer,
    start() {
      horizon = Number.NEGATIVE_INFINITY
      durableJobs = store.jobCount()
      timer.ring()
    },
    add({ ordinal, next_due_at }) {
      durableJobs = Math.max(durableJobs, ordinal + 1)
      if (next_due_at !== null && next_due_at <= horizon) timer.add(next_due_at, ordinal)
    },
  }
}
