import type { Clock, RealTime } from '../core/ports.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import type { AttemptHead, AttemptStartHead, Entry, ExchangeRecord } from '../state/entries.ts'
import type { JobRecord } from '../state/job.ts'
import type { AttemptStartRecord } from '../state/queries/jobs.ts'
import type { Store } from '../state/store.ts'
import { isVisible } from './recording-lag.ts'

export interface EndedAttempt {
  readonly job: JobRecord
  /**
   * The end of the attempt: sandbox time in epoch milliseconds. Undefined for an interrupted or unsent attempt: such an attempt
   * ends when it is recorded.
   */
  readonly endedAt?: number
  readonly head: Omit<AttemptHead, 'at' | 'recorded_at' | 'next_due_at'>
  readonly body: string
  readonly nextDueAt: (endedAt: number) => number | null
  readonly cause?: unknown
}

export interface AttemptRecordsPorts {
  readonly clock: Pick<Clock, 'now'>
  readonly realTime: Pick<RealTime, 'now'>
  readonly store: Store
  readonly readings: () => ReadingValues
  readonly onAttempt: (job: JobRecord, attempt: AttemptHead, cause?: unknown) => void
  readonly onError: (job: JobRecord, error: unknown) => void
}

export type AttemptRecords = ReturnType<typeof createAttemptRecords>

export function createAttemptRecords(ports: AttemptRecordsPorts) {
  const { clock, store, onAttempt } = ports
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
    if (!kept && !(await commit(job, entry, ports))) {
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
    count: () => count,
    /** Returns the number of ended attempts that `request_response` does not show yet. Reading: job-recording-lag */
    lagging: lagging.count,
    begin: async (job: JobRecord, entry: Entry<AttemptStartHead>): Promise<boolean> =>
      !isAbandoned && (await commit(job, entry, ports)) && !isAbandoned,
    /** Records the end of an attempt and returns true on success. A failed write is retried later, without another POST. */
    end,
    callOff: (job: JobRecord): Promise<boolean> =>
      commit(job, { head: { kind: 'cancellation', at: clock.now(), job_id: job.id }, body: '' }, ports),
    unrecorded: (jobId: string) => unrecorded.get(jobId),
    endInterrupted(): void {
      for (const job of store.begunJobs()) {
        const start = store.attemptStart(job)
        if (!start) continue
        const cut = interruptedAttempt(start, job)
        void end(cut)
        lagging.add(toEntry(cut, ports).head)
      }
    },
    async endUnrecorded(): Promise<void> {
      for (const ended of Array.from(unrecorded.values())) if (!store.problem) await end(ended)
    },
    abandon(): void {
      isAbandoned = true
    },
  }
}

/** Writes the entry and returns true on success. An attempt's start needs no fsync, because a power failure may lose it. */
function commit(job: JobRecord, entry: Entry, { store, onError }: AttemptRecordsPorts): Promise<boolean> {
  return store.commit([entry], entry.head.kind === 'attempt-start' ? 'process' : 'machine').then(
    () => true,
    (error: unknown) => {
      onError(job, error)
      return false
    },
  )
}

function createLagging({ clock, realTime, readings }: AttemptRecordsPorts) {
  const attempts: AttemptHead[] = []

  function dropVisible(): void {
    const clocks = { now: clock.now(), realNow: realTime.now() }
    while (attempts[0] && isVisible(attempts[0], clocks, readings())) attempts.shift()
  }

  return {
    count(): number {
      dropVisible()
      return attempts.length
    },
    add(attempt: AttemptHead): void {
      attempts.push(attempt)
      dropVisible()
    },
  }
}

/** Creates the entry for the end of an attempt. Recorded times never go back, so the end is never before the latest entry. */
function toEntry(
  { endedAt, head, body, nextDueAt }: EndedAttempt,
  { clock, realTime, store }: AttemptRecordsPorts,
): Entry<AttemptHead> {
  const at = Math.max(endedAt ?? clock.now(), store.latestAt())
  return { head: { ...head, at, recorded_at: realTime.now(), next_due_at: nextDueAt(at) }, body }
}

/** Returns true if the attempt was interrupted in an earlier run of the sandbox. The next attempt needs a new number. */
export function isInterrupted({ head }: EndedAttempt): boolean {
  return head.reason === 'interrupted'
}

/** Returns the recorded attempt if the store already has it. A write that reported an error can still have reached the store. */
function findKept({ job, head }: EndedAttempt, store: Store): AttemptHead | undefined {
  const present = store.job(job.id)
  if (!present || present.attempts < head.number) return undefined
  return store.attemptHeads(present).find(({ number }) => number === head.number)
}

const NO_ANSWER = {
  kind: 'attempt',
  status: null,
  flags: [],
  timings: { connectedMs: null, answeredMs: null, totalMs: null },
} as const

/** Creates the record for an attempt whose body is damaged. A damaged body is never sent. */
export function corruptAttempt(
  job: JobRecord,
  about: Omit<AttemptStartHead, 'kind' | 'at' | 'source_address'>,
): EndedAttempt {
  const message = 'Not sent: the body in the store is damaged. "doctor --store" lists all damage'
  const body: ExchangeRecord = { request_headers: [], request_body: '', response: null }
  return {
    job,
    head: { ...about, ...NO_ANSWER, reason: 'corrupt', message },
    body: JSON.stringify(body),
    nextDueAt: () => null,
  }
}

/** Creates the record of an interrupted attempt. The attempt is not counted, and its job is still due. */
function interruptedAttempt({ head: start, exchange }: AttemptStartRecord, job: JobRecord): EndedAttempt {
  const { at: _, source_address, ...about } = start
  const what = source_address === undefined ? '' : ` a POST from ${source_address}`
  const host = URL.parse(about.url)?.host ?? 'the receiver'
  const remedy = about.manual ? 'Resend the job' : 'The notification is sent again'
  const message = `Interrupted: the sandbox was stopped, killed or replaced before ${host} answered${what}. ${remedy}`
  return {
    job,
    head: { ...about, ...NO_ANSWER, reason: 'interrupted', message },
    body: exchange,
    nextDueAt: () => job.next_due_at,
  }
}
