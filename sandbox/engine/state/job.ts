import type { JobHead } from '../../../spec/generated/control-types.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'

/** The object type of a job: a notified type, or the bank accounts in the earlier callbacks. */
export type JobType = NotifiedType | 'bank_accounts'

export type JobStatus = 'pending' | 'success' | 'failed'

/** A job: the fields of its trigger, and the state after its attempts. */
export interface JobRecord extends Omit<JobHead, 'kind' | 'at'> {
  readonly ordinal: number
  /**
   * The number of the job in its generation, from 0. This number selects the job's sending address, because the sending addresses
   * rotate. Source: §5
   */
  readonly turn: number
  readonly position: number
  readonly created_at: number
  readonly updated_at: number
  readonly status: JobStatus
  readonly attempts: number
  /** The number of attempts in the retry schedule. Excludes manual and interrupted attempts. */
  readonly scheduled: number
  /** The result of the last attempt: an HTTP status or a failure reason. */
  readonly last: string | null
  /** The end of the first attempt that was not interrupted. The retry offsets count from this time. */
  readonly first_ended_at: number | null
  /** The due time of the next attempt, or null. */
  readonly next_due_at: number | null
}
