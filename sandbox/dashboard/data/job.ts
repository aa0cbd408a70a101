import type {
  JobSummary,
  TimelineAttempt,
  TimelineCall,
  TimelineJob,
} from '../../../spec/generated/control-types.ts'

/** A job with its times as epoch milliseconds in sandbox time. */
export interface DrawnJob {
  readonly summary: JobSummary
  readonly createdAt: number
  readonly nextDueAt: number | null
  /** Oldest first. */
  readonly attempts: readonly DrawnAttempt[]
}

export interface DrawnAttempt extends Omit<TimelineAttempt, 'at'> {
  readonly at: number
}

/** A call of the service API about an object. */
export interface DrawnCall extends Omit<TimelineCall, 'at'> {
  readonly at: number
}

export function toDrawnJob({ job: summary, attempts }: TimelineJob): DrawnJob {
  return {
    summary,
    createdAt: Date.parse(summary.created_at),
    nextDueAt: summary.next_due_at === null ? null : Date.parse(summary.next_due_at),
    attempts: attempts.map((attempt) => ({ ...attempt, at: Date.parse(attempt.at) })),
  }
}

/** Joins two views of a job. The view with more attempts is newer, otherwise the second one. */
export function mergeJobs(first: DrawnJob, second: DrawnJob): DrawnJob {
  const newer = first.summary.attempts > second.summary.attempts ? first : second
  const byNumber = new Map([...first.attempts, ...second.attempts].map((each) => [each.number, each]))
  return { ...newer, attempts: [...byNumber.values()].toSorted((a, b) => a.number - b.number) }
}

export const objectKey = (objectType: string, objectId: string) => `${objectType}/${objectId}`
