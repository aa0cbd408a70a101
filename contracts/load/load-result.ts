import type { BookComparison } from './books.ts'
import type { ConnectionUse } from './connection-places.ts'
import type { Unsent } from './generate-load.ts'
import type { Measurements } from './measurements.ts'
import type { ScheduleOptions } from './schedule.ts'

export interface LoadResult {
  /** The URL without its secrets. */
  readonly receiver: string
  /** The address for calls back. */
  readonly serviceUrl: string
  readonly seed: number
  readonly startedAt: string
  readonly schedule: ScheduleOptions
  /** A list such as `items=3, card-payin=2`. */
  readonly content: string
  /** Milliseconds until the last answer. */
  readonly tookMs: number
  /** The reason if the receiver could not be reached, otherwise null. */
  readonly unreached: string | null
  readonly measurements: Measurements
  readonly connections: ConnectionUse
  readonly unsent: Unsent
  readonly comparison: BookComparison
}
