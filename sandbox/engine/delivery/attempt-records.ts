import type { AttemptHead, Entry } from '../state/entries.ts'
import type { JobRecord } from '../state/job.ts'
import type { Outlived } from '../state/log.ts'
import type { Store } from '../state/store.ts'
import { makeAttempt, targetUrl, type AttemptPorts } from './attempt.ts'
import type { EndedAttempt } from './ended-attempt.ts'
import type { ScheduledAttempt } from './delivery-queue.ts'
import { interruptedAttempts } from './interrupted-attempts.ts'
import { createLagging } from './recording-lag.ts'

export interface AttemptRecordsPorts extends Omit<AttemptPorts, 'view'> {
  readonly store: Store
  /**
   * Called with each attempt when it has ended and is recorded, with the job as it stands then, and with what a receiver of this
   * process threw.
   */
  readonly onAttempt: (job: JobRecord, attempt: AttemptHead, cause?: unknown) => void
  /** Called with a bug or a broken store. */
  readonly onError: (job: JobRecord, error: unknown) => void
}

/**
 * `recorded`: the attempt is on record. `retry-later`: it could not start, and is to be made again, or it has ended and is still to be recorded.
 * `none`: there is nothing to send, nobody to send it to, or no world any more that it belongs to.
 */
type AttemptResult = 'recorded' | 'retry-later' | 'none'

/** Makes attempts, and puts on record that they begin and how they end. */
export interface AttemptRecords {
  /** How many have ended so far. */
  readonly count: number
  /** How many have ended that do not show in `request_response` yet. Reading: job-recording-lag */
  readonly lagging: number
  /** Calls back when it was sent, and what came of it is being put on record; not where nothing was sent. */
  attempt(job: JobRecord, scheduled: ScheduledAttempt, onSent: () => void): Promise<AttemptResult>
  /** Whether an attempt of the job has ended that could not be recorded: `attempt` records it, and sends nothing. */
  isUnrecorded(jobId: string): boolean
  /** Records what had begun when the sandbox was stopped or killed. */
  addInterrupted(): void
  /** Records the ends that the disk has refused, if it takes them now. */
  recordEnds(): Promise<void>
  /** Records nothing more: the world is gone. */
  abandon(): void
}

export function createAttemptRecords(ports: AttemptRecordsPorts): AttemptRecords {
  const { store } = ports
  const commit = createCommit(ports)
  const lagging = createLagging(ports)
  const ends = createEnds(ports, { commit, onRecorded: lagging.add })
  const interruptions = createInterruptions(ports, commit)
  let abandoned = false

  // It is there to tell of a killed process, and waits for the disk only where it is written with the end of another attempt.
  async function begin(entry: Entry, job: JobRecord): Promise<boolean> {
    return !abandoned && (await commit(entry, job, 'process')) && !abandoned
  }

  return {
    get count() {
      return ends.count
    },
    get lagging() {
      return lagging.count
    },
    async attempt(job: JobRecord, scheduled: ScheduledAttempt, onSent: () => void): Promise<AttemptResult> {
      // Nothing can be put on record: all that is due comes by here at once, and must not be read and signed for nothing.
      if (store.problem) return 'retry-later'
      const earlier = ends.unrecorded(job.id)
      if (earlier) return ends.record(earlier)
      const cut = interruptions.missed(job.id)
      if (cut && !(await interruptions.add(cut))) return 'retry-later'
      if (targetUrl(job, { ...ports, view: store }) === undefined) return callOff(job, ports, commit)
      let hasBegun = false
      const beginHere = (entry: Entry) => {
        hasBegun = true
        return begin(entry, job)
      }
      const ended = await makeAttempt(job.id, scheduled, { ...ports, view: store, begin: beginHere })
      if (!ended || abandoned) return 'none'
      // What could not start did not happen: it is sent again.
      if (ended.head.reason === 'out_of_resources') return 'retry-later'
      const recorded = ends.record(ended)
      // What ended without a beginning on record, as what a fault drops, waited for nothing: the next one does.
      if (hasBegun) onSent()
      return recorded
    },
    isUnrecorded: (id) => ends.unrecorded(id) !== undefined,
    addInterrupted() {
      for (const cut of interruptedAttempts(store)) {
        void interruptions.add(cut)
        lagging.add(toEntry(cut, ports).head)
      }
    },
    recordEnds: () => ends.recordLeft(() => !abandoned),
    abandon() {
      abandoned = true
    },
  }
}

/** Decided when it is due: disabled and enabled again before then loses nothing. Source: §6.1.5. Reading: pending-retries */
async function callOff(
  job: JobRecord,
  { clock }: Pick<AttemptRecordsPorts, 'clock'>,
  commit: Commit,
): Promise<AttemptResult> {
  if (job.next_due_at === null || job.next_due_at > clock.now()) return 'none'
  const head = { kind: 'cancellation', at: clock.now(), job_id: job.id } as const
  return (await commit({ head, body: '' }, job)) ? 'none' : 'retry-later'
}

interface EndsPorts {
  readonly commit: Commit
  readonly onRecorded: (head: AttemptHead) => void
}

/** How attempts ended. What cannot be recorded is kept until it can: it was sent, and is not sent again. */
function createEnds(
  ports: Pick<AttemptRecordsPorts, 'clock' | 'realTime' | 'store' | 'onAttempt'>,
  { commit, onRecorded }: EndsPorts,
) {
  const { store, onAttempt } = ports
  const unrecordedByJob = new Map<string, EndedAttempt>()
  let count = 0

  async function record(ended: EndedAttempt): Promise<'recorded' | 'retry-later'> {
    const { job, cause } = ended
    unrecordedByJob.delete(job.id)
    const kept = findKept(ended, store)
    const entry = toEntry(ended, ports)
    if (!kept && !(await commit(entry, job))) {
      unrecordedByJob.set(job.id, ended)
      return 'retry-later'
    }
    const head = kept ?? entry.head
    count++
    onRecorded(head)
    onAttempt(store.job(job.id) ?? job, head, cause)
    return 'recorded'
  }

  return {
    get count() {
      return count
    },
    unrecorded: (jobId: string) => unrecordedByJob.get(jobId),
    async recordLeft(isWanted: () => boolean): Promise<void> {
      // A copy, as an end that is refused again comes back.
      const left = [...unrecordedByJob.values()]
      for (const ended of left) if (isWanted() && !store.problem) await record(ended)
    },
    record,
  }
}

/** A log that failed, and is back, may have kept it all the same. */
function findKept(
  { job, head }: EndedAttempt,
  store: Pick<Store, 'job' | 'attemptHeads'>,
): AttemptHead | undefined {
  const present = store.job(job.id)
  return present && store.attemptHeads(present).find(({ number }) => number === head.number)
}

/** Dates the end of an attempt at its own time, or at the latest entry if others were recorded since: entries never go back in time. */
function toEntry(
  { endedAt, head, body, nextDueAt }: EndedAttempt,
  { clock, realTime, store }: Pick<AttemptRecordsPorts, 'clock' | 'realTime' | 'store'>,
): Entry<AttemptHead> {
  const at = Math.max(endedAt ?? clock.now(), store.latestAt())
  return { head: { ...head, at, recorded_at: realTime.now(), next_due_at: nextDueAt(at) }, body }
}

/** What was cut off before this start. The attempt that follows must not have its number. */
function createInterruptions(
  ports: Pick<AttemptRecordsPorts, 'clock' | 'realTime' | 'store'>,
  commit: Commit,
) {
  const missedByJob = new Map<string, EndedAttempt>()
  return {
    /** One that could not be recorded at the start, as the disk was full. */
    missed: (jobId: string) => missedByJob.get(jobId),
    async add(cut: EndedAttempt): Promise<boolean> {
      const { job } = cut
      missedByJob.delete(job.id)
      if (findKept(cut, ports.store)) return true
      const isAdded = await commit(toEntry(cut, ports), job)
      if (!isAdded) missedByJob.set(job.id, cut)
      return isAdded
    },
  }
}

type Commit = (entry: Entry, job: JobRecord, outlived?: Outlived) => Promise<boolean>

/** Whether the store took an entry about a job. */
function createCommit({ store, onError }: Pick<AttemptRecordsPorts, 'store' | 'onError'>): Commit {
  return async (entry, job, outlived) => {
    try {
      await store.commit([entry], outlived)
      return true
    } catch (error) {
      onError(job, error)
      return false
    }
  }
}
