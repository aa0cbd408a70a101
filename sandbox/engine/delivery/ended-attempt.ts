import type { AttemptHead, AttemptStartHead } from '../state/entries.ts'
import type { ExchangeRecord } from '../state/exchange.ts'
import type { JobRecord } from '../state/job.ts'
import type { AttemptStartRecord, JobView } from '../state/queries/jobs.ts'

/** An attempt that has ended. Its job is the one at its begin. */
export interface EndedAttempt {
  readonly job: JobRecord
  /** Sandbox time, epoch milliseconds. Left out for an attempt without an answer, which ends when it is recorded. */
  readonly endedAt?: number
  readonly head: Omit<AttemptHead, 'at' | 'recorded_at' | 'next_due_at'>
  readonly body: string
  /** When the next attempt is due if this one ends at a time; null if none follows. */
  readonly nextDueAt: (endedAt: number) => number | null
  /** The error of a receiver in this process. */
  readonly cause?: unknown
}

export type AttemptAbout = Omit<AttemptStartHead, 'kind' | 'at' | 'source_address'>

const NO_ANSWER = {
  kind: 'attempt',
  status: null,
  flags: [],
  timings: { connectedMs: null, answeredMs: null, totalMs: null },
} as const

const NOTHING_SENT: ExchangeRecord = { request_headers: [], request_body: '', response: null }

/** Ends an attempt whose body is not what was written: nothing is sent, now and later. */
export function corruptAttempt(job: JobRecord, about: AttemptAbout): EndedAttempt {
  const message = 'Not sent: its body is damaged in the store. "doctor --store" lists all damage'
  return {
    job,
    head: { ...about, ...NO_ANSWER, reason: 'corrupt', message },
    body: JSON.stringify(NOTHING_SENT),
    nextDueAt: () => null,
  }
}

/**
 * Returns the interrupted attempts. They began, and the sandbox was stopped, killed or replaced before they ended. Such an attempt
 * takes no place in the retry schedule. Its job is still due, and is sent again.
 */
export function interruptedAttempts(
  view: Pick<JobView, 'begunJobs' | 'attemptStart'>,
): readonly EndedAttempt[] {
  return view.begunJobs().flatMap((job) => {
    const start = view.attemptStart(job)
    return start ? [toInterrupted(start, job)] : []
  })
}

function toInterrupted({ head: start, exchange }: AttemptStartRecord, job: JobRecord): EndedAttempt {
  const { at: _, source_address, ...about } = start
  const what = source_address === undefined ? '' : ` a POST from ${source_address}`
  const host = URL.parse(about.url)?.host ?? 'the receiver'
  const remedy = about.manual ? 'Resend it' : 'It is sent again'
  const message = `Cut off: the sandbox was stopped, killed or replaced before ${host} had answered${what}. ${remedy}`
  return {
    job,
    head: { ...about, ...NO_ANSWER, reason: 'interrupted', message },
    body: exchange,
    nextDueAt: () => job.next_due_at,
  }
}
