import type { JobHead } from '../../../spec/generated/control-types.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'

/** A type of objects that jobs are about: a notified type, or the bank accounts of the earlier callbacks. */
export type JobType = NotifiedType | 'bank_accounts'

export type JobStatus = 'pending' | 'success' | 'failed'

/** A job: the fields that its trigger fixed, and the state that its attempts led to. */
export interface JobRecord extends Omit<JobHead, 'kind' | 'at'> {
  readonly ordinal: number
  /** Its place among those of its generation, from 0: the sending addresses of each generation take turns. Source: §5 */
  readonly turn: number
  readonly position: number
  readonly created_at: number
  readonly updated_at: number
  readonly status: JobStatus
  readonly attempts: number
  /** The attempts that the schedule counts. Attempts by hand and interrupted attempts do not count. */
  readonly scheduled: number
  /** How the last attempt ended: an HTTP status or a reason. */
  readonly last: string | null
  /** The retry offsets count from this end of the first attempt that was not interrupted. */
  readonly first_ended_at: number | null
  /** Null when no attempt follows. */
  readonly next_due_at: number | null
}
