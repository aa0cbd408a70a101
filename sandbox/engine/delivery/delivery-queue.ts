import { createQueue, type Queue } from '../core/queue.ts'
import { createIdleWaiters } from '../core/signal.ts'
import type { RealTime } from '../core/ports.ts'
import type { DeliveryFaults } from '../faults/delivery-faults.ts'
import type { FaultStateOn } from '../state/entries.ts'
import type { JobRecord } from '../state/job.ts'
import type { Store } from '../state/store.ts'

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
interface Order {
  readonly key: string
  readonly siblings: Map<string, Order>
  readonly deliveries: QueuedDelivery[]
}

/**
 * A queue for the first attempts or the retries of one registration. First attempts and retries have separate queues, so that
 * retries never block a later job.
 */
interface RegistrationQueue {
  /** Deliveries that waited for another delivery. The deliveries in `ready` start before the deliveries in `waiting`. */
  readonly ready: Queue<QueuedDelivery>
  readonly waiting: Queue<QueuedDelivery>
  inFlight: number
}

/** The result of an attempt. `later`: the attempt or its recording failed and will be repeated. `none`: no message was sent. */
export type AttemptResult = 'recorded' | 'later' | 'none'

export interface DeliveryQueuePorts {
  readonly store: Pick<Store, 'job' | 'problem' | 'onProblem'>
  readonly realTime: Pick<RealTime, 'after' | 'soon'>
  readonly faults: DeliveryFaults
  /** The maximum number of concurrent first attempts per registration. Retries have a separate, equal limit. Defaults to 64. */
  readonly concurrency?: number | undefined
  readonly findPayment: (job: JobRecord) => string | undefined
  /** Makes the attempt. Calls `onSent` after the exchange if a POST was sent. The promise never rejects. */
  readonly attempt: (delivery: QueuedDelivery, onSent: () => void) => Promise<AttemptResult>
  /** Returns true if a postponed job still needs an attempt, or if its attempt is not yet recorded. */
  readonly isDue: (job: JobRecord) => boolean
  readonly onEnded: (delivery: QueuedDelivery, result: AttemptResult) => void
}

const CONCURRENCY = 64
const POSTPONED_MS = 1_000

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>

/** Creates a queue that makes due attempts, at most one at a time for each job. */
export function createDeliveryQueue(ports: DeliveryQueuePorts) {
  const { realTime, faults } = ports
  const { deliveries, start, stop } = createDeliveries(ports)

  function findMoving(isWanted: (job: JobRecord) => boolean): QueuedDelivery | undefined {
    for (const delivery of deliveries.values()) {
      if (!isWanted(delivery.job)) continue
      const isAtRest = delivery.held?.timed === false || delivery.cancelTimer || isStalled(delivery)
      if (!isAtRest) return delivery
    }
    return undefined
  }

  return {
    pending: () => [...deliveries.values()].filter(({ held }) => !held).length,
    has(jobId: string): boolean {
      const present = deliveries.get(jobId)
      return present !== undefined && !present.cancelTimer
    },
    /** Queues an attempt, or returns the job's existing attempt. */
    add(job: JobRecord, manual: boolean): QueuedDelivery {
      const present = deliveries.get(job.id)
      if (present && !(present.cancelTimer && manual)) return present
      const delivery = present ?? createDelivery(job, faults.match(job))
      delivery.manual = manual
      if (!manual) delivery.held = faults.hold(job, delivery.faults, () => void (delivery.held = undefined))
      start(delivery)
      return delivery
    },
    /** Resolves when the present attempts of these jobs have ended or are postponed. Includes deliveries that a fault delays. */
    async ended(isWanted: (job: JobRecord) => boolean): Promise<void> {
      const wanted = [...deliveries.values()].filter(({ job }) => isWanted(job))
      await Promise.all(wanted.map(whenEnded))
    },
    /** Waits for queued deliveries, except postponed deliveries and deliveries that a fault delays without a limit. */
    async idle(isWanted: (job: JobRecord) => boolean = () => true): Promise<void> {
      for (let found = findMoving(isWanted); found; found = findMoving(isWanted)) {
        await untilMoved(found)
        // Yields to the event loop before the next search, because thousands of deliveries may be postponed at the same time.
        const hasMoved = deliveries.get(found.job.id) !== found || found.cancelTimer || isStalled(found)
        if (hasMoved) await new Promise<void>(realTime.soon)
      }
    },
    stop,
  }
}

function createDelivery(job: JobRecord, faults: QueuedDelivery['faults']): QueuedDelivery {
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

function createDeliveries(ports: DeliveryQueuePorts) {
  const { store, realTime } = ports
  const deliveries = new Map<string, QueuedDelivery>()
  const queues = createRegistrationQueues(run, ports.concurrency)
  const orders = createOrders(ports.findPayment)

  function start(delivery: QueuedDelivery): void {
    delivery.cancelTimer?.()
    delivery.cancelTimer = undefined
    deliveries.set(delivery.job.id, delivery)
    if (delivery.held) void delivery.held.release.then(() => enter(delivery))
    else enter(delivery)
  }

  function enter(delivery: QueuedDelivery): void {
    delivery.held = undefined
    // A postponed delivery is still first in its ordered queues. The delivery waits only for a free slot of its registration.
    if (delivery.orders.length > 0) queues.add(delivery, 'ready')
    else if (delivery.job.first_ended_at !== null || orders.enter(delivery)) queues.add(delivery, 'waiting')
  }

  async function run(delivery: QueuedDelivery): Promise<void> {
    // Frees the slot after the exchange. If another delivery waits for this delivery, frees the slot only after the recording.
    const result = await ports.attempt(delivery, () => void (isAwaited(delivery) || queues.leave(delivery)))
    delivery.ended?.resolve()
    if (result === 'later') {
      delivery.ended = undefined
      delivery.cancelTimer = store.problem ? () => {} : realTime.after(POSTPONED_MS, () => resume(delivery))
    } else finish(delivery, result)
  }

  function finish(delivery: QueuedDelivery, result: AttemptResult): void {
    deliveries.delete(delivery.job.id)
    ports.faults.releaseOvertaken(delivery.job)
    ports.onEnded(delivery, result)
    for (const next of orders.leave(delivery)) queues.add(next, 'ready')
  }

  function resume(delivery: QueuedDelivery): void {
    delivery.cancelTimer?.()
    delivery.manual = false
    const job = store.job(delivery.job.id)
    if (job && ports.isDue(job)) start(delivery)
    else finish(delivery, 'none')
  }

  const unsubscribe = store.onProblem((problem) => {
    if (!problem) for (const delivery of deliveries.values()) if (delivery.cancelTimer) resume(delivery)
  })

  async function stop(): Promise<void> {
    unsubscribe()
    await queues.stop()
    endAll(deliveries)
  }

  return { deliveries, start, stop }
}

function endAll(deliveries: Map<string, QueuedDelivery>): void {
  for (const { cancelTimer, ended } of deliveries.values()) {
    cancelTimer?.()
    ended?.resolve()
  }
  deliveries.clear()
}

function createRegistrationQueues(
  start: (delivery: QueuedDelivery) => Promise<void>,
  concurrency = CONCURRENCY,
) {
  const queues = { first: new Map<string, RegistrationQueue>(), retry: new Map<string, RegistrationQueue>() }
  let running = 0
  let isStopped = false
  const { idle, notify } = createIdleWaiters(() => running === 0)

  async function run(delivery: QueuedDelivery): Promise<void> {
    try {
      await start(delivery)
    } finally {
      leave(delivery)
      running--
      notify()
    }
  }

  function startNext(queue: RegistrationQueue): void {
    while (queue.inFlight < concurrency) {
      const delivery = queue.ready.shift() ?? queue.waiting.shift()
      if (!delivery || isStopped) return
      queue.inFlight++
      running++
      delivery.slot = queue
      void run(delivery)
    }
  }

  /** Frees the slot of the delivery, if it still has one. */
  function leave(delivery: QueuedDelivery): void {
    const { slot } = delivery
    if (!slot) return
    delivery.slot = undefined
    slot.inFlight--
    startNext(slot)
  }

  return {
    add(delivery: QueuedDelivery, part: 'ready' | 'waiting'): void {
      const queueById = delivery.orders.length > 0 ? queues.first : queues.retry
      const id = delivery.job.registration_id
      let queue = queueById.get(id)
      if (!queue) queueById.set(id, (queue = { ready: createQueue(), waiting: createQueue(), inFlight: 0 }))
      queue[part].push(delivery)
      startNext(queue)
    },
    leave,
    stop(): Promise<void> {
      isStopped = true
      return idle()
    },
  }
}

function untilMoved(delivery: QueuedDelivery): Promise<void> {
  const [before] = findPredecessors(delivery)
  return delivery.held?.release ?? (before ? untilMoved(before) : whenEnded(delivery))
}

function isStalled(delivery: QueuedDelivery): boolean {
  return findPredecessors(delivery).some((before) => before.cancelTimer !== undefined || isStalled(before))
}

function findPredecessors(delivery: QueuedDelivery): readonly QueuedDelivery[] {
  return delivery.orders.flatMap(({ deliveries: [first] }) =>
    first === undefined || first === delivery ? [] : first,
  )
}

function isAwaited({ orders }: QueuedDelivery): boolean {
  return orders.some(({ deliveries }) => deliveries.length > 1)
}

/** Orders first attempts for an object or a payment, so that healthy receivers get notifications in order. Source: §6.2 */
function createOrders(findPayment: DeliveryQueuePorts['findPayment']) {
  const ordersOf = new Map<string, Map<string, Order>>()

  /** Returns the queue of an object or a payment. `within` is a registration id, or the generation for a payment. */
  function orderOf(within: string, key: string): Order {
    let siblings = ordersOf.get(within)
    if (!siblings) ordersOf.set(within, (siblings = new Map()))
    let order = siblings.get(key)
    if (!order) siblings.set(key, (order = { key, siblings, deliveries: [] }))
    return order
  }

  return {
    /** Appends the delivery to its ordered queues. Returns true if the delivery may start immediately. */
    enter(delivery: QueuedDelivery): boolean {
      const { job } = delivery
      const payment = findPayment(job)
      const ofObject = orderOf(job.registration_id, job.object_id)
      // The delivery stays in its queues, even if its object becomes part of a payment later.
      delivery.orders = payment === undefined ? [ofObject] : [ofObject, orderOf(job.generation, payment)]
      for (const { deliveries } of delivery.orders) deliveries.push(delivery)
      return findPredecessors(delivery).length === 0
    },
    leave({ orders }: QueuedDelivery): readonly QueuedDelivery[] {
      const next = orders.flatMap(({ key, siblings, deliveries }) => {
        deliveries.shift()
        if (deliveries.length === 0) siblings.delete(key)
        return deliveries[0] ?? []
      })
      return [...new Set(next)].filter((delivery) => findPredecessors(delivery).length === 0)
    },
  }
}
