import type { AttemptHead, Entry } from '../state/entries.ts'
import type { JobRecord } from '../state/job.ts'
import type { Outlived } from '../state/log.ts'
import type { Store } from '../state/store.ts'
import { makeAttempt, targetUrl, type AttemptPorts } from './attempt.ts'
import type { ScheduledAttempt } from './delivery-queue.ts'
import { interruptedAttempts } from './interrupted-attempts.ts'
import { createLagging } from './recording-lag.ts'

export interface AttemptRecordsPorts extends Omit<AttemptPorts, 'view'> {
  readonly store: Store
  /** Called with each attempt when it has ended and is recorded, and with the job as it stands then. */
  readonly onAttempt: (job: JobRecord, attempt: AttemptHead) => void
  /** Called with a bug or a broken store. */
  readonly onError: (job: JobRecord, error: unknown) => void
}

/**
 * `recorded`: the attempt is on record. `retry-later`: it could not start, or not be recorded, and is to be made again.
 * `none`: there is nothing to send, nobody to send it to, or no world any more that it belongs to.
 */
type AttemptResult = 'recorded' | 'retry-later' | 'none'

/** Makes attempts, and puts on record that they begin and how they end. */
export interface AttemptRecords {
  /** How many have ended so far. */
  readonly count: number
  /** How many have ended that do not show in `request_response` yet. Reading: job-recording-lag */
  readonly lagging: number
  attempt(job: JobRecord, scheduled: ScheduledAttempt): Promise<AttemptResult>
  /** Records what had begun when the sandbox was stopped or killed. */
  addInterrupted(): void
  /** Records nothing more: the world is gone. */
  abandon(): void
}

export function createAttemptRecords(ports: AttemptRecordsPorts): AttemptRecords {
  const { store, clock, onAttempt } = ports
  const commit = createCommit(ports)
  const lagging = createLagging(ports)
  let count = 0
  let abandoned = false

  // It is there to tell of a killed process, and makes no attempt wait for the disk.
  async function begin(entry: Entry, job: JobRecord): Promise<boolean> {
    return !abandoned && (await commit(entry, job, 'process')) && !abandoned
  }

  // Decided when it is due: disabled and enabled again before then loses nothing. Source: §6.1.5. Reading: pending-retries
  async function callOff(job: JobRecord): Promise<AttemptResult> {
    if (job.next_due_at === null || job.next_due_at > clock.now()) return 'none'
    const head = { kind: 'cancellation', at: clock.now(), job_id: job.id } as const
    return (await commit({ head, body: '' }, job)) ? 'none' : 'retry-later'
  }

  return {
    get count() {
      return count
    },
    get lagging() {
      return lagging.count
    },
    async attempt(job: JobRecord, scheduled: ScheduledAttempt): Promise<AttemptResult> {
      if (targetUrl(job, { ...ports, view: store }) === undefined) return callOff(job)
      const ended = await makeAttempt(job.id, scheduled, {
        ...ports,
        view: store,
        begin: (entry) => begin(entry, job),
      })
      if (!ended || abandoned) return 'none'
      const { entry } = ended
      // What could not start, or is not on record, did not happen: it is sent again.
      if (entry.head.reason === 'out_of_resources' || !(await commit(entry, job))) return 'retry-later'
      count++
      lagging.add(entry.head)
      onAttempt(store.job(job.id) ?? ended.job, entry.head)
      return 'recorded'
    },
    addInterrupted() {
      for (const { job, entry } of interruptedAttempts({ ...ports, view: store })) {
        void commit(entry, job)
        lagging.add(entry.head)
      }
    },
    abandon() {
      abandoned = true
    },
  }
}

/** Whether the store took an entry about a job. */
function createCommit({ store, onError }: Pick<AttemptRecordsPorts, 'store' | 'onError'>) {
  return async (entry: Entry, job: JobRecord, outlived?: Outlived): Promise<boolean> => {
    try {
      await store.commit([entry], outlived)
      return true
    } catch (error) {
      onError(job, error)
      return false
    }
  }
}
