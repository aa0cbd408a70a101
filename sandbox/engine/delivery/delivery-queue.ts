import { createQueue } from '../core/queue.ts'
import { createIdleWaiters } from '../core/signal.ts'
import type { RealTime } from '../core/ports.ts'
import type { DeliveryFaults } from '../faults/delivery-faults.ts'
import type { JobRecord } from '../state/job.ts'
import type { Store } from '../state/store.ts'
import { createOrders, isAwaited, isStalled, untilMoved } from './delivery-order.ts'
import {
  createQueuedDelivery,
  whenEnded,
  type QueuedDelivery,
  type RegistrationQueue,
} from './queued-delivery.ts'

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
      const delivery = present ?? createQueuedDelivery(job, faults.match(job))
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
