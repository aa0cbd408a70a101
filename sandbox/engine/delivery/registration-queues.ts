import { createIdleWaiters } from '../core/idle-waiters.ts'
import type { JobRecord } from '../state/job.ts'
import { createFirstAttemptOrder } from './first-attempt-order.ts'
import {
  createRegistrationQueue,
  type RegistrationQueue,
  type RegistrationQueueOptions,
  type StartedJob,
} from './registration-queue.ts'

/** The queues of all registrations, which share only the order of first attempts. */
interface RegistrationQueues {
  add(job: JobRecord): void
  /** A job that was to be attempted again is not: what waited for it goes on. */
  release(job: JobRecord): void
  /** Whether the job waits for one that is to be attempted again later. */
  isStalled(job: JobRecord): boolean
  /** Starts nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>
}

export interface RegistrationQueuesPorts {
  readonly concurrency?: number | undefined
  /** The payment that a job is a step of; undefined if it is of none. */
  readonly findPayment: (job: JobRecord) => string | undefined
  /** Makes one attempt, and calls back when it was sent; whether it is to be made again later. Never rejects. */
  readonly run: (jobId: string, onSent: () => void) => Promise<boolean>
  /** Called when jobs begin to wait for one that is to be attempted again later. */
  readonly onStall: () => void
}

export function createRegistrationQueues(ports: RegistrationQueuesPorts): RegistrationQueues {
  const { run, onStall } = ports
  const order = createFirstAttemptOrder(ports.findPayment)
  const queueOf = createQueueTable({ ...ports, isAwaited: order.isAwaited })
  let underWay = 0
  let stopped = false
  const { idle, notify } = createIdleWaiters(() => underWay === 0)

  async function start(queue: RegistrationQueue, { job, isFirst, sent, end }: StartedJob): Promise<void> {
    underWay++
    const isAgain = await run(job.id, () => {
      sent()
      startNext(queue)
    })
    underWay--
    end()
    if (isFirst && isAgain) {
      order.keep(job)
      onStall()
    } else if (isFirst) release(job)
    startNext(queue)
    notify()
  }

  function release(job: JobRecord): void {
    for (const next of order.release(job)) {
      const queue = queueOf(next)
      queue.addReady(next)
      startNext(queue)
    }
  }

  function startNext(queue: RegistrationQueue): void {
    if (stopped) return
    for (let next = queue.take(); next; next = queue.take()) void start(queue, next)
  }

  return {
    add(job) {
      const queue = queueOf(job)
      // Whatever is on record of it by now: a log that failed may have kept the end of its first attempt all the same.
      if (order.unkeep(job)) queue.addReady(job)
      else if (job.first_ended_at !== null) queue.addRetry(job)
      else if (order.add(job)) queue.addFirst(job)
      startNext(queue)
    },
    release: (job) => void (order.unkeep(job) && release(job)),
    isStalled: (job) => job.first_ended_at === null && order.isStalled(job),
    stop(): Promise<void> {
      stopped = true
      return idle()
    },
  }
}

/** The queue of the job's registration. */
function createQueueTable(options: RegistrationQueueOptions): (job: JobRecord) => RegistrationQueue {
  const queueById = new Map<string, RegistrationQueue>()
  return ({ registration_id }) => {
    const queue = queueById.get(registration_id) ?? createRegistrationQueue(options)
    queueById.set(registration_id, queue)
    return queue
  }
}
