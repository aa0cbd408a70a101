import type { Queue } from '../core/queue.ts'
import type { FaultStateOn } from '../state/entries.ts'
import type { JobRecord } from '../state/job.ts'

/** The next attempt of a job. A queued delivery exists from the due time of its job until the attempt is recorded. */
export interface QueuedDelivery {
  /** The state of the job at its due time. */
  readonly job: JobRecord
  readonly faults: readonly FaultStateOn<'delivery'>[]
  /** True if a user resends the job. Source: §8 */
  manual: boolean
  /** Set while a fault delays the delivery. `timed` is true if the delay ends automatically. */
  held: { readonly release: Promise<void>; readonly timed: boolean } | undefined
  /** The ordered queues in which this delivery waits. Empty for a retry. */
  orders: readonly Order[]
  cancelTimer: (() => void) | undefined
  /** The queue in which this delivery takes a slot. Undefined while no attempt is in flight. */
  slot: RegistrationQueue | undefined
  /** Resolves when the attempt has ended or is postponed. Undefined until something waits for this. */
  ended: PromiseWithResolvers<void> | undefined
}

/** An ordered queue: first attempts that must run one after the other. Only the first delivery of the queue may be in flight. */
export interface Order {
  readonly key: string
  readonly siblings: Map<string, Order>
  readonly deliveries: QueuedDelivery[]
}

/**
 * A queue for the first attempts or the retries of one registration. First attempts and retries have separate queues, so that
 * retries never block a later job.
 */
export interface RegistrationQueue {
  /** Deliveries that waited for another delivery. The deliveries in `ready` start before the deliveries in `waiting`. */
  readonly ready: Queue<QueuedDelivery>
  readonly waiting: Queue<QueuedDelivery>
  inFlight: number
}

export function createQueuedDelivery(job: JobRecord, faults: QueuedDelivery['faults']): QueuedDelivery {
  return {
    job,
    faults,
    manual: false,
    held: undefined,
    orders: [],
    cancelTimer: undefined,
    slot: undefined,
    ended: undefined,
  }
}

/** Resolves when the attempt has ended or is postponed. */
export function whenEnded(delivery: QueuedDelivery): Promise<void> {
  delivery.ended ??= Promise.withResolvers()
  return delivery.ended.promise
}
