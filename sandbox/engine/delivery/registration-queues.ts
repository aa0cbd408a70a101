import { createIdleWaiters } from '../core/idle-waiters.ts'
import type { JobRecord } from '../state/job.ts'
import { createRegistrationQueue, type RegistrationQueue, type StartedJob } from './registration-queue.ts'

/** The queues of all registrations, each independent of the others. */
interface RegistrationQueues {
  add(job: JobRecord): void
  /** A job that was to be attempted again is not: what waited for it goes on. */
  release(job: JobRecord): void
  /** Whether the job waits for one about the same object that is to be attempted again later. */
  isStalled(job: JobRecord): boolean
  /** Starts nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>
}

export interface RegistrationQueuesPorts {
  readonly concurrency?: number | undefined
  /** Makes one attempt, and calls back when it was sent; whether it is to be made again later. Never rejects. */
  readonly run: (jobId: string, onSent: () => void) => Promise<boolean>
  /** Called when jobs begin to wait for one that is to be attempted again later. */
  readonly onStall: () => void
}

export function createRegistrationQueues({ run, ...options }: RegistrationQueuesPorts): RegistrationQueues {
  const queueById = new Map<string, RegistrationQueue>()
  let underWay = 0
  let stopped = false
  const { idle, notify } = createIdleWaiters(() => underWay === 0)

  async function start(queue: RegistrationQueue, { job, sent, end }: StartedJob): Promise<void> {
    underWay++
    const isAgain = await run(job.id, () => {
      sent()
      startNext(queue)
    })
    underWay--
    end(isAgain)
    startNext(queue)
    notify()
  }

  function startNext(queue: RegistrationQueue): void {
    if (stopped) return
    for (let next = queue.take(); next; next = queue.take()) void start(queue, next)
  }

  return {
    add(job) {
      const queue = queueById.get(job.registration_id) ?? createRegistrationQueue(options)
      queueById.set(job.registration_id, queue)
      queue.add(job)
      startNext(queue)
    },
    release(job) {
      const queue = queueById.get(job.registration_id)
      if (!queue) return
      queue.release(job)
      startNext(queue)
    },
    isStalled: (job) => queueById.get(job.registration_id)?.isStalled(job) === true,
    stop(): Promise<void> {
      stopped = true
      return idle()
    },
  }
}
