import type { BookComparison } from './compare-books.ts'
import type { ConnectionUse } from './connection-places.ts'
import type { Unsent } from './generate-load.ts'
import type { Measurements } from './measurements.ts'
import type { ScheduleOptions } from './schedule.ts'

/** What a load came to. */
export interface LoadResult {
  /** Its URL, with what is secret in it left out. */
  readonly receiver: string
  /** Where the receiver asks back. */
  readonly serviceUrl: string
  readonly seed: number
  readonly startedAt: string
  readonly schedule: ScheduleOptions
  /** What was to be sent, such as `items=3, card-payin=2`. */
  readonly content: string
  /** What the load itself took, up to the last answer. */
  readonly tookMs: number
  /** Why the receiver could not be reached; null if it could. Then nothing was sent. */
  readonly unreached: string | null
  readonly measurements: Measurements
  readonly connections: ConnectionUse
  readonly unsent: Unsent
  readonly comparison: BookComparison
}
