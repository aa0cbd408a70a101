import type { JobHead } from '../../../spec/generated/control-types.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'

/** The object type of a job: a notified type, or the bank accounts of the earlier callbacks. */
export type JobType = NotifiedType | 'bank_accounts'

export type JobStatus = 'pending' | 'success' | 'failed'

/** A job with the fields of its trigger and the state after its attempts. */
export interface JobRecord extends Omit<JobHead, 'kind' | 'at'> {
  readonly ordinal: number
  /**
   * Its number among the jobs of its generation, from 0. The sending addresses of a generation take turns.
   * Source: §5
   */
  readonly turn: number
  readonly position: number
  readonly created_at: number
  readonly updated_at: number
  readonly status: JobStatus
  readonly attempts: number
  /** The attempts that the schedule counts. Attempts by hand and interrupted attempts do not count. */
  readonly scheduled: number
  /** The end of the last attempt: an HTTP status or a reason. */
  readonly last: string | null
  /** The retry offsets count from this end of the first attempt that was not interrupted. */
  readonly first_ended_at: number | null
  /** Null without a next attempt. */
  readonly next_due_at: number | null
}
