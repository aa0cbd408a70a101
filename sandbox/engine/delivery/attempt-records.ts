import type { AttemptHead, AttemptStartHead, Entry } from '../state/entries.ts'
import type { JobRecord } from '../state/job.ts'
import type { Store } from '../state/store.ts'
import type { Durability } from '../state/synced-batches.ts'
import type { AttemptPorts } from './attempt.ts'
import { interruptedAttempts, type EndedAttempt } from './ended-attempt.ts'
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

/** Puts on record that attempts begin and how they end. */
export interface AttemptRecords {
  /** How many have ended so far. */
  readonly count: number
  /** How many have ended that do not show in `request_response` yet. Reading: job-recording-lag */
  readonly lagging: number
  /** True if it is on record, so that the attempt may be sent. */
  begin(job: JobRecord, entry: Entry<AttemptStartHead>): Promise<boolean>
  /** True if it is on record. What the disk refuses is kept until it is: it was sent, and is not sent again. */
  end(ended: EndedAttempt): Promise<boolean>
  /** Ends the pending retries of a job; true if that is on record. */
  callOff(job: JobRecord): Promise<boolean>
  /** An attempt of the job that has ended and is not on record. */
  unrecorded(jobId: string): EndedAttempt | undefined
  /** Records what had begun when the sandbox was stopped or killed. */
  endInterrupted(): void
  /** Records what the disk has refused, if it takes it now. */
  endUnrecorded(): Promise<void>
  /** Records nothing more: the world is gone. */
  abandon(): void
}

export function createAttemptRecords(ports: AttemptRecordsPorts): AttemptRecords {
  const { clock, store, onAttempt } = ports
  const commit = createCommit(ports)
  const unrecorded = new Map<string, EndedAttempt>()
  const lagging = createLagging(ports)
  let count = 0
  let isAbandoned = false

  async function end(ended: EndedAttempt): Promise<boolean> {
    if (isAbandoned) return false
    const { job, cause } = ended
    unrecorded.delete(job.id)
    const kept = findKept(ended, store)
    const entry = toEntry(ended, ports)
    if (!kept && !(await commit(job, entry))) {
      unrecorded.set(job.id, ended)
      return false
    }
    if (isInterrupted(ended)) return true
    const head = kept ?? entry.head
    count++
    lagging.add(head)
    onAttempt(store.job(job.id) ?? job, head, cause)
    return true
  }

  return {
    get count() {
      return count
    },
    get lagging() {
      return lagging.count
    },
    // It is there to tell of a killed process, and waits for the disk only where it is written with the end of another attempt.
    begin: async (job, entry) => !isAbandoned && (await commit(job, entry, 'process')) && !isAbandoned,
    end,
    callOff: (job) =>
      commit(job, { head: { kind: 'cancellation', at: clock.now(), job_id: job.id }, body: '' }),
    unrecorded: (jobId) => unrecorded.get(jobId),
    endInterrupted() {
      for (const cut of interruptedAttempts(store)) {
        void end(cut)
        lagging.add(toEntry(cut, ports).head)
      }
    },
    async endUnrecorded() {
      // What is refused again comes back.
      for (const ended of Array.from(unrecorded.values())) if (!store.problem) await end(ended)
    },
    abandon() {
      isAbandoned = true
    },
  }
}

function createCommit({ store, onError }: Pick<AttemptRecordsPorts, 'store' | 'onError'>) {
  /** True if the store took an entry about a job. */
  return async (job: JobRecord, entry: Entry, durability?: Durability): Promise<boolean> => {
    try {
      await store.commit([entry], durability)
      return true
    } catch (error) {
      onError(job, error)
      return false
    }
  }
}

/** True if it was cut off with an earlier run of the sandbox. The attempt that follows must not have its number. */
export function isInterrupted({ head }: EndedAttempt): boolean {
  return head.reason === 'interrupted'
}

/** A log that failed, and is back, may have kept it all the same. */
function findKept(
  { job, head }: EndedAttempt,
  store: Pick<Store, 'job' | 'attemptHeads'>,
): AttemptHead | undefined {
  const present = store.job(job.id)
  if (!present || present.attempts < head.number) return undefined
  return store.attemptHeads(present).find(({ number }) => number === head.number)
}

/** Dates the end of an attempt at its own time, or at the latest entry if others were recorded since: entries never go back in time. */
function toEntry(
  { endedAt, head, body, nextDueAt }: EndedAttempt,
  { clock, realTime, store }: Pick<AttemptRecordsPorts, 'clock' | 'realTime' | 'store'>,
): Entry<AttemptHead> {
  const at = Math.max(endedAt ?? clock.now(), store.latestAt())
  return { head: { ...head, at, recorded_at: realTime.now(), next_due_at: nextDueAt(at) }, body }
}
