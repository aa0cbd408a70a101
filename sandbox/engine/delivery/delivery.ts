import type { Queue } from '../core/queue.ts'
import type { FaultStateOn } from '../state/fault.ts'
import type { JobRecord } from '../state/job.ts'

/** The next attempt of a job, from when it is due until it is on record. */
export interface Delivery {
  /** As it stood when it was due. */
  readonly job: JobRecord
  readonly faults: readonly FaultStateOn<'delivery'>[]
  /** Resent by hand. Source: §8 */
  manual: boolean
  /** Set while a fault holds it back. `timed` is true if the release comes by itself. */
  held: { readonly release: Promise<void>; readonly timed: boolean } | undefined
  /** Where a first attempt has a place. Empty before that, and for a retry. */
  lines: readonly Line[]
  /** Resolves when the attempt has ended, or is put off. */
  ended: PromiseWithResolvers<void>
}

/**
 * `recorded`: the attempt is on record. `later`: it could not start, and is to be made again, or it has ended and is still to be
 * recorded. `none`: there is nothing to send, nobody to send it to, or no world any more that it belongs to.
 */
export type AttemptResult = 'recorded' | 'later' | 'none'

/** First attempts of which only the first may be under way. */
export interface Line {
  readonly key: string
  readonly queue: Queue<Delivery>
}
