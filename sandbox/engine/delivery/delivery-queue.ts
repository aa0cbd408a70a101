import { createQueue, type Queue } from '../core/queue.ts'
import type { RealTime } from '../core/ports.ts'
import type { DeliveryFaults } from '../faults/delivery-faults.ts'
import type { FaultStateOn } from '../state/entries.ts'
import type { JobRecord } from '../state/job.ts'
import type { Store } from '../state/store.ts'

/** The next attempt of a job, from its due time until it is recorded. */
export interface Delivery {
  /** The job at its due time. */
  readonly job: JobRecord
  readonly faults: readonly FaultStateOn<'delivery'>[]
  /** Resent by hand. Source: §8 */
  manual: boolean
  /** Set while a fault holds it back. `timed` is true if the release comes by itself. */
  held: { readonly release: Promise<void>; readonly timed: boolean } | undefined
  /** Its lines. Empty for a retry. */
  lines: readonly Line[]
  /** Cancels the timer of a postponed attempt. */
  cancelTimer: (() => void) | undefined
  /** Resolves when the attempt has ended or is postponed. */
  ended: PromiseWithResolvers<void>
}

/** First attempts. Only the first of them may be in flight. */
interface Line {
  readonly key: string
  readonly queue: Queue<Delivery>
}

/** First attempts of a registration, or its retries, which never hold up a later job. */
interface RegistrationQueue {
  /** These deliveries waited in a line, so they come first. */
  readonly ready: Queue<Delivery>
  readonly waiting: Queue<Delivery>
  inFlight: number
}

/**
 * `recorded`: the attempt is on record. `later`: it could not start or be recorded, and is repeated. `none`:
 * nothing is sent.
 */
export type AttemptResult = 'recorded' | 'later' | 'none'

export interface DeliveryQueuePorts {
  readonly store: Pick<Store, 'job' | 'problem' | 'onProblem'>
  readonly realTime: Pick<RealTime, 'after' | 'soon'>
  readonly faults: DeliveryFaults
  /** The limit of first attempts of one registration in flight, and of its retries. Defaults to 64. */
  readonly concurrency?: number | undefined
  /** Returns the payment with this job as a step. */
  readonly findPayment: (job: JobRecord) => string | undefined
  /** Makes the attempt, and calls back when it was sent. Never rejects. */
  readonly attempt: (delivery: Delivery, onSent: () => void) => Promise<AttemptResult>
  /** True if a postponed job still needs an attempt or a record. */
  readonly isDue: (job: JobRecord) => boolean
  /** Called when the attempt has ended or was not made. */
  readonly onEnded: (delivery: Delivery, result: AttemptResult) => void
}

const CONCURRENCY = 64
/** The delay of a postponed attempt, in real time. */
const PUT_OFF_MS = 1_000

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>

/** Makes due attempts, one at a time for each job. */
export function createDeliveryQueue(ports: DeliveryQueuePorts) {
  const { realTime, faults } = ports
  const { deliveries, start, stop } = createDeliveries(ports)

  function findMoving(isWanted: (job: JobRecord) => boolean): Delivery | undefined {
    for (const delivery of deliveries.values()) {
      const isAtRest = delivery.held?.timed === false || delivery.cancelTimer || isStalled(delivery)
      if (!isAtRest && isWanted(delivery.job)) return delivery
    }
    return undefined
  }

  return {
    /** Leaves out deliveries that a fault holds back. */
    pending: () => [...deliveries.values()].filter(({ held }) => !held).length,
    /** True if an attempt of the job waits or is in flight. */
    has(jobId: string): boolean {
      const present = deliveries.get(jobId)
      return present !== undefined && !present.cancelTimer
    },
    /** Resolves when the attempt has ended or is put off. Waits for a present attempt of the job instead of another. */
    add(job: JobRecord, manual: boolean): Promise<void> {
      const present = deliveries.get(job.id)
      if (present?.cancelTimer && manual) {
        present.manual = true
        return start(present)
      }
      if (present) return present.ended.promise
      const delivery = createDelivery(job, faults.match(job), manual)
      // A manual resend is not held back.
      if (!manual) delivery.held = faults.hold(job, delivery.faults, () => void (delivery.held = undefined))
      return start(delivery)
    },
    /**
     * Resolves when no delivery of these jobs waits or is in flight. Ignores postponed deliveries, and those
     * that a fault holds back without an end.
     */
    async idle(isWanted: (job: JobRecord) => boolean = () => true): Promise<void> {
      for (let found = findMoving(isWanted); found; found = findMoving(isWanted)) {
        await untilMoved(found)
        // Thousands may be postponed at once, so one search covers all of them.
        const hasMoved = deliveries.get(found.job.id) !== found || found.cancelTimer || isStalled(found)
        if (hasMoved) await new Promise<void>(realTime.soon)
      }
    },
    /** Starts nothing more. Resolves when the attempts in flight have ended. */
    stop,
  }
}

function createDelivery(job: JobRecord, faults: Delivery['faults'], manual: boolean): Delivery {
  return {
    job,
    faults,
    manual,
    held: undefined,
    lines: [],
    cancelTimer: undefined,
    ended: Promise.withResolvers(),
  }
}

function createDeliveries(ports: DeliveryQueuePorts) {
  const { store, realTime } = ports
  const deliveries = new Map<string, Delivery>()
  const queues = createRegistrationQueues(run, ports.concurrency)
  const lines = createLines(ports.findPayment)

  async function start(delivery: Delivery): Promise<void> {
    const { job, held, ended } = delivery
    delivery.cancelTimer?.()
    delivery.cancelTimer = undefined
    deliveries.set(job.id, delivery)
    if (held) await held.release
    delivery.held = undefined
    // A postponed delivery keeps its place.
    if (delivery.lines.length > 0) queues.add(delivery, 'ready')
    else if (job.first_ended_at !== null || lines.enter(delivery)) queues.add(delivery, 'waiting')
    return ended.promise
  }

  async function run(delivery: Delivery, leave: () => void): Promise<void> {
    // A sent delivery frees its place. If another one waits for its end, the place stays taken until the end is on record.
    const result = await ports.attempt(delivery, () => void (isAwaited(delivery) || leave()))
    delivery.ended.resolve()
    if (result === 'later') {
      delivery.ended = Promise.withResolvers()
      delivery.cancelTimer = store.problem ? () => {} : realTime.after(PUT_OFF_MS, () => takeUp(delivery))
    } else finish(delivery, result)
    leave()
  }

  function finish(delivery: Delivery, result: AttemptResult): void {
    deliveries.delete(delivery.job.id)
    ports.faults.releaseOvertaken(delivery.job)
    ports.onEnded(delivery, result)
    for (const next of lines.leave(delivery)) queues.add(next, 'ready')
  }

  function takeUp(delivery: Delivery): void {
    delivery.cancelTimer?.()
    delivery.manual = false
    const job = store.job(delivery.job.id)
    if (job && ports.isDue(job)) void start(delivery)
    else finish(delivery, 'none')
  }

  const unsubscribe = store.onProblem((problem) => {
    if (!problem) for (const delivery of deliveries.values()) if (delivery.cancelTimer) takeUp(delivery)
  })

  async function stop(): Promise<void> {
    unsubscribe()
    await queues.stop()
    for (const { cancelTimer } of deliveries.values()) cancelTimer?.()
    for (const { ended } of deliveries.values()) ended.resolve()
  }

  return { deliveries, start, stop }
}

/** `start` gets a function that frees the place. Later calls of that function change nothing. */
function createRegistrationQueues(
  start: (delivery: Delivery, leave: () => void) => Promise<void>,
  concurrency = CONCURRENCY,
) {
  const queueByKey = new Map<string, RegistrationQueue>()
  const inFlight = new Set<Promise<void>>()
  let isStopped = false

  function startNext(queue: RegistrationQueue): void {
    while (queue.inFlight < concurrency) {
      const delivery = queue.ready.shift() ?? queue.waiting.shift()
      if (!delivery || isStopped) return
      queue.inFlight++
      let hasPlace = true
      const run = start(delivery, () => {
        if (!hasPlace) return
        hasPlace = false
        queue.inFlight--
        startNext(queue)
      }).finally(() => inFlight.delete(run))
      inFlight.add(run)
    }
  }

  return {
    add(delivery: Delivery, part: 'ready' | 'waiting'): void {
      const key = `${delivery.lines.length > 0 ? 'first' : 'retry'} ${delivery.job.registration_id}`
      const queue = queueByKey.get(key) ?? { ready: createQueue(), waiting: createQueue(), inFlight: 0 }
      queueByKey.set(key, queue)
      queue[part].push(delivery)
      startNext(queue)
    },
    /** Starts nothing more. Resolves when the attempts in flight have ended. */
    async stop(): Promise<void> {
      isStopped = true
      await Promise.all(inFlight)
    },
  }
}

/** Resolves when the delivery has ended, or its predecessor has. */
function untilMoved(delivery: Delivery): Promise<void> {
  const [before] = findPredecessors(delivery)
  return delivery.held?.release ?? (before ? untilMoved(before) : delivery.ended.promise)
}

/** True if a postponed delivery must end before. */
function isStalled(delivery: Delivery): boolean {
  return findPredecessors(delivery).some((before) => before.cancelTimer !== undefined || isStalled(before))
}

/** Returns the deliveries that must end before this one starts. */
function findPredecessors(delivery: Delivery): readonly Delivery[] {
  return delivery.lines.flatMap(({ queue }) => {
    const first = queue.peek()
    return first === undefined || first === delivery ? [] : [first]
  })
}

/** True if another delivery waits for the end of this one. */
function isAwaited({ lines }: Delivery): boolean {
  return lines.some(({ queue }) => queue.length > 1)
}

/**
 * First attempts of one object start one after the other, in trigger order, and so do those of one payment about any object. A
 * healthy receiver sees the states of an object and the steps of a payment in order. Source: §6.2
 */
function createLines(findPayment: DeliveryQueuePorts['findPayment']) {
  const lineByKey = new Map<string, Line>()

  function lineOf(key: string): Line {
    const line = lineByKey.get(key) ?? { key, queue: createQueue<Delivery>() }
    lineByKey.set(key, line)
    return line
  }

  return {
    /** Gives the delivery a place at the end of its lines. Returns true if it may start at once. */
    enter(delivery: Delivery): boolean {
      const { job } = delivery
      const payment = findPayment(job)
      const ofObject = lineOf(`${job.registration_id} ${job.object_id}`)
      // The payment of an object may become known later. A delivery does not change its lines later.
      delivery.lines =
        payment === undefined ? [ofObject] : [ofObject, lineOf(`${job.generation} of payment ${payment}`)]
      for (const { queue } of delivery.lines) queue.push(delivery)
      return findPredecessors(delivery).length === 0
    },
    /** Gives up its place. Returns the deliveries that may start now. */
    leave({ lines }: Delivery): readonly Delivery[] {
      const next = lines.flatMap(({ key, queue }) => {
        queue.shift()
        if (queue.length === 0) lineByKey.delete(key)
        return queue.peek() ?? []
      })
      return [...new Set(next)].filter((delivery) => findPredecessors(delivery).length === 0)
    },
  }
}
