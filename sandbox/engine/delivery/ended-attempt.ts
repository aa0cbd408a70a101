import type { AttemptHead } from '../state/entries.ts'
import type { JobRecord } from '../state/job.ts'

/** An attempt that has ended, with its job as it stood when it began. */
export interface EndedAttempt {
  readonly job: JobRecord
  /** Sandbox time, epoch milliseconds. Left out for an attempt without an answer, which ends when it is recorded. */
  readonly endedAt?: number
  readonly head: Omit<AttemptHead, 'at' | 'recorded_at' | 'next_due_at'>
  readonly body: string
  /** When the next attempt is due if this one ends at a time; null if none follows. */
  readonly nextDueAt: (endedAt: number) => number | null
  /** What a receiver of this process threw. */
  readonly cause?: unknown
}
