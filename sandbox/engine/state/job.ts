import type { JobHead } from '../../../spec/generated/control-types.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'

/** The object type of a job: a notified type, or `bank_accounts` for callbacks of the earlier list. */
export type JobType = NotifiedType | 'bank_accounts'

export type JobStatus = 'pending' | 'success' | 'failed'

export interface JobRecord extends Omit<JobHead, 'kind' | 'at'> {
  readonly ordinal: number
  /** The number of the job in its generation, counted from 0, which selects the sending address. Source: §5 */
  readonly turn: number
  readonly position: number
  readonly created_at: number
  readonly updated_at: number
  readonly status: JobStatus
  readonly attempts: number
  /** The positions of the attempts in the history, oldest first, separated by commas. */
  readonly attempt_positions: string
  /** The number of scheduled attempts so far. Excludes manual and interrupted attempts. */
  readonly scheduled: number
  /** The result of the last attempt: an HTTP status or a failure reason. */
  readonly last: string | null
  /** The end of the first attempt that was not interrupted. Retry times are counted from this time. */
  readonly first_ended_at: number | null
  /** The due time of the next attempt. Null if there is no next attempt. */
  readonly next_due_at: number | null
  /** JSON: the ids of the faults that match the next attempt. Null if the matching faults are not determined yet. */
  readonly matched_faults: string | null
}
