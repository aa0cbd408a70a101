import { createIdleWaiters } from '../core/signal.ts'
import type { RealTime } from '../core/ports.ts'
import type { DeliveryFaults } from '../faults/delivery-faults.ts'
import type { JobRecord } from '../state/job.ts'
import type { Store } from '../state/store.ts'
import type { AttemptResult, Delivery } from './delivery.ts'
import { createFirstAttemptOrder, findPredecessors, isAwaited } from './first-attempt-order.ts'
import { createLanes } from './lanes.ts'

/** Makes the attempts that are due, one at a time for each job. */
export interface DeliveryQueue {
  /** How many wait, are under way or are put off. */
  readonly size: number
  /** The same without those that a fault holds back. */
  readonly pending: number
  /** True if an attempt of the job waits or is under way. */
  has(jobId: string): boolean
  /** Resolves when the attempt has ended or is put off; the one that waits or is under way already, if there is one. */
  add(job: JobRecord, manual: boolean): Promise<void>
  /**
   * Resolves when nothing of these jobs, or of any, waits or is under way, except what a fault holds back without an end, what is
   * put off, and what waits for that.
   */
  idle(isWanted?: (job: JobRecord) => boolean): Promise<void>
  /** Starts nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>
}

export interface DeliveryQueuePorts {
  readonly store: Pick<Store, 'job' | 'problem' | 'onProblem'>
  readonly realTime: Pick<RealTime, 'after' | 'soon'>
  readonly faults: DeliveryFaults
  /** How many first attempts of one registration may be sent at once. */
  readonly concurrency?: number | undefined
  /** The payment that a job is a step of; undefined if it is of none. */
  readonly findPayment: (job: JobRecord) => string | undefined
  /** Makes the attempt, and calls back when it was sent. Never rejects. */
  readonly attempt: (delivery: Delivery, onSent: () => void) => Promise<AttemptResult>
  /** True if there is something to do for a job that was put off. */
  readonly isDue: (job: JobRecord) => boolean
  /** Called when the attempt has ended, or is not made after all. */
  readonly onEnded: (delivery: Delivery, result: AttemptResult) => void
}

export function createDeliveryQueue(ports: DeliveryQueuePorts): DeliveryQueue {
  const { realTime, faults } = ports
  const { active, putOff, start, stop } = createDeliveries(ports)

  const isStalled = (delivery: Delivery): boolean =>
    findPredecessors(delivery).some((each) => putOff.has(each.job.id) || isStalled(each))

  function findMoving(isWanted: (job: JobRecord) => boolean): Delivery | undefined {
    for (const delivery of active.values()) {
      const isHeld = delivery.held?.timed === false
      if (isWanted(delivery.job) && !isHeld && !isStalled(delivery)) return delivery
    }
    return undefined
  }

  return {
    get size() {
      return active.size + putOff.size
    },
    get pending() {
      return putOff.size + [...active.values()].filter(({ held }) => !held).length
    },
    has: (jobId) => active.has(jobId),
    add(job, manual) {
      const present = active.get(job.id)
      if (present) return present.ended.promise
      const again = putOff.take(job.id)
      if (again) return start(again, manual)
      const delivery = createDelivery(job, faults.match(job))
      // What is resent by hand is not held back.
      if (!manual) delivery.held = faults.hold(job, delivery.faults, () => void (delivery.held = undefined))
      return start(delivery, manual)
    },
    async idle(isWanted = () => true) {
      for (let found = findMoving(isWanted); found; found = findMoving(isWanted)) {
        await untilMoved(found)
        // Many thousands may be put off at once: one look is for all of them.
        if (!active.has(found.job.id) || isStalled(found)) await new Promise<void>(realTime.soon)
      }
    },
    stop,
  }
}

/** Resolves when the delivery has ended, or what it waits for. */
function untilMoved(delivery: Delivery): Promise<void> {
  const [before] = findPredecessors(delivery)
  return delivery.held?.release ?? (before ? untilMoved(before) : delivery.ended.promise)
}

function createDelivery(job: JobRecord, faults: Delivery['faults']): Delivery {
  return { job, faults, manual: false, held: undefined, lines: [], ended: Promise.withResolvers() }
}

/** Starts deliveries in their order, and knows which wait or are under way, and which are put off. */
function createDeliveries(ports: DeliveryQueuePorts) {
  const { store, faults } = ports
  const active = new Map<string, Delivery>()
  const order = createFirstAttemptOrder(ports.findPayment)
  const lanes = createLanes((delivery, leave) => void run(delivery, leave), ports.concurrency)
  const putOff = createPutOff(ports, takeUp)
  let underWay = 0
  let isStopped = false
  const rest = createIdleWaiters(() => underWay === 0)

  async function run(delivery: Delivery, leave: () => void): Promise<void> {
    if (isStopped) return
    underWay++
    // When it was sent its place is another's, unless one waits for it to end: that one comes when the end is on record. That goes
    // there before the beginning of the other, so that no more are without a record than there are places.
    const result = await ports.attempt(delivery, () => void (isAwaited(delivery) || leave()))
    underWay--
    active.delete(delivery.job.id)
    delivery.ended.resolve()
    if (result !== 'later') finish(delivery, result)
    else if (!isStopped) putOff.add(delivery)
    leave()
    rest.notify()
  }

  function finish(delivery: Delivery, result: AttemptResult): void {
    faults.releaseOvertaken(delivery.job)
    ports.onEnded(delivery, result)
    for (const next of order.leave(delivery)) lanes.addReady(next)
  }

  function takeUp(delivery: Delivery): void {
    const job = store.job(delivery.job.id)
    if (job && ports.isDue(job)) void start(delivery, false)
    else finish(delivery, 'none')
  }

  async function start(delivery: Delivery, manual: boolean): Promise<void> {
    delivery.manual = manual
    active.set(delivery.job.id, delivery)
    if (delivery.held) await delivery.held.release
    delivery.held = undefined
    // What was put off has its place still.
    if (delivery.lines.length > 0) lanes.addReady(delivery)
    else if (delivery.job.first_ended_at !== null) lanes.addRetry(delivery)
    else if (order.enter(delivery)) lanes.addFirst(delivery)
    return delivery.ended.promise
  }

  async function stop(): Promise<void> {
    isStopped = true
    putOff.stop()
    await rest.idle()
    // Whoever waits for an attempt that is never started must not wait forever.
    for (const { ended } of active.values()) ended.resolve()
  }

  return { active, putOff, start, stop }
}

/** How long an attempt waits, in real time, that could not start or not be recorded. */
const PUT_OFF_MS = 1_000

/** Deliveries that are taken up a little later, or all at once when the store takes changes again. */
function createPutOff(
  { store, realTime }: Pick<DeliveryQueuePorts, 'store' | 'realTime'>,
  takeUp: (delivery: Delivery) => void,
) {
  const waiting = new Map<string, { readonly delivery: Delivery; readonly cancel: () => void }>()

  /** Takes it out, to be taken up at once. */
  function take(jobId: string): Delivery | undefined {
    const found = waiting.get(jobId)
    waiting.delete(jobId)
    found?.cancel()
    return found?.delivery
  }

  function takeUpNow(jobId: string): void {
    const delivery = take(jobId)
    if (delivery) takeUp(delivery)
  }

  const unsubscribe = store.onProblem((problem) => {
    if (!problem) for (const jobId of Array.from(waiting.keys())) takeUpNow(jobId)
  })
  return {
    get size() {
      return waiting.size
    },
    has: (jobId: string) => waiting.has(jobId),
    take,
    add(delivery: Delivery): void {
      const { id } = delivery.job
      delivery.ended = Promise.withResolvers()
      const cancel = store.problem ? () => {} : realTime.after(PUT_OFF_MS, () => takeUpNow(id))
      waiting.set(id, { delivery, cancel })
    },
    stop(): void {
      unsubscribe()
      for (const jobId of waiting.keys()) take(jobId)
    },
  }
}
