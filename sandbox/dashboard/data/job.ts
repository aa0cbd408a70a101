import type { JobSummary, TimelineJob } from '../../../spec/generated/control-types.ts'

/** A job as the page draws it: times as numbers, in sandbox time, epoch milliseconds. */
export interface DrawnJob {
  readonly summary: JobSummary
  readonly createdAt: number
  readonly nextDueAt: number | null
  readonly windowEndsAt: number | null
  /** Oldest first, as far as they are known. */
  readonly attempts: readonly DrawnAttempt[]
}

export interface DrawnAttempt {
  readonly number: number
  readonly at: number
  readonly status: number | null
  /** The reason of the failure. Null after success. */
  readonly reason: string | null
  readonly manual: boolean
}

export interface DrawnCall {
  readonly id: number
  readonly at: number
  readonly operation: string
  readonly status: number | null
}

export function toDrawnJob({ job: summary, attempts }: TimelineJob): DrawnJob {
  return {
    summary,
    createdAt: Date.parse(summary.created_at),
    nextDueAt: toTime(summary.next_due_at),
    windowEndsAt: toTime(summary.window_ends_at),
    attempts: attempts.map(({ at, ...attempt }) => ({ ...attempt, at: Date.parse(at) })),
  }
}

const toTime = (instant: string | null) => (instant === null ? null : Date.parse(instant))

/**
 * What is known of a job from two sides: what was listed and what an event told may each be the newer one. Whoever knows of more
 * attempts is; otherwise the second.
 */
export function mergeJobs(first: DrawnJob, second: DrawnJob): DrawnJob {
  const newer = first.summary.attempts > second.summary.attempts ? first : second
  const byNumber = new Map([...first.attempts, ...second.attempts].map((each) => [each.number, each]))
  return { ...newer, attempts: [...byNumber.values()].toSorted((a, b) => a.number - b.number) }
}

/** The times that a job is drawn at: from its trigger to its last attempt, or to when the next is due. */
export function timesOf({
  createdAt,
  attempts,
  nextDueAt,
}: DrawnJob): readonly [first: number, last: number] {
  return [createdAt, Math.max(createdAt, attempts.at(-1)?.at ?? 0, nextDueAt ?? 0)]
}
