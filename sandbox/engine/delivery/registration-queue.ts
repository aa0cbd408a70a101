import { createQueue } from '../core/queue.ts'
import type { JobRecord } from '../state/job.ts'

/** How many first attempts of one registration may be sent at once, and as many retries. */
const CONCURRENCY = 64

/**
 * The jobs of one registration that may start. What has waited for another first attempt comes first: it was triggered before what
 * no place was free for. Retries have places of their own, so that they never hold up a later job.
 */
export interface RegistrationQueue {
  addFirst(job: JobRecord): void
  /** One that another first attempt made wait. */
  addReady(job: JobRecord): void
  addRetry(job: JobRecord): void
  /** The next job that may start now; it is under way until its `end`. */
  take(): StartedJob | undefined
}

/** A job with an attempt under way. */
export interface StartedJob {
  readonly job: JobRecord
  readonly isFirst: boolean
  /**
   * The attempt was sent: its place is another's, unless one waits for it, which comes next when what came of this one is on
   * record. That goes there before the beginning of the other, so that no more are without a record than there are places.
   */
  sent(): void
  /** The attempt has ended. */
  end(): void
}

export interface RegistrationQueueOptions {
  readonly concurrency?: number | undefined
  /** Whether another first attempt waits for this one to end. */
  readonly isAwaited: (job: JobRecord) => boolean
}

export function createRegistrationQueue({
  concurrency = CONCURRENCY,
  isAwaited,
}: RegistrationQueueOptions): RegistrationQueue {
  const [ready, firsts, retries] = [
    createQueue<JobRecord>(),
    createQueue<JobRecord>(),
    createQueue<JobRecord>(),
  ]
  const firstPlaces = createPlaces(concurrency)
  const retryPlaces = createPlaces(concurrency)
  return {
    addFirst: firsts.push,
    addReady: ready.push,
    addRetry: retries.push,
    take() {
      const first = firstPlaces.isFree ? (ready.shift() ?? firsts.shift()) : undefined
      if (first) return start(first, { leave: firstPlaces.take(), isFirst: true, isAwaited })
      const retry = retryPlaces.isFree ? retries.shift() : undefined
      // Nothing waits for a retry.
      return retry && start(retry, { leave: retryPlaces.take(), isFirst: false, isAwaited: () => false })
    },
  }
}

interface Starting {
  readonly leave: () => void
  readonly isFirst: boolean
  readonly isAwaited: (job: JobRecord) => boolean
}

function start(job: JobRecord, { leave, isFirst, isAwaited }: Starting): StartedJob {
  return { job, isFirst, sent: () => void (isAwaited(job) || leave()), end: leave }
}

interface Places {
  readonly isFree: boolean
  /** Gives what frees the place again, once. */
  take(): () => void
}

function createPlaces(most: number): Places {
  let taken = 0
  return {
    get isFree() {
      return taken < most
    },
    take() {
      let isTaken = true
      taken++
      return () => {
        if (isTaken) taken--
        isTaken = false
      }
    },
  }
}
