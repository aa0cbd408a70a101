import { createIdleWaiters } from '../core/idle-waiters.ts'
import type { JobRecord } from '../state/job.ts'
import { createRegistrationQueue, type RegistrationQueue } from './registration-queue.ts'

/** The queues of all registrations, each independent of the others. */
interface RegistrationQueues {
  add(job: JobRecord): void
  /** A job that was to be attempted again is not: what waited for it goes on. */
  release(job: JobRecord): void
  /** How many wait for a job about the same object that is to be attempted again later. */
  readonly stalled: number
  /** Resolves when nothing waits or is under way, except what is stalled. */
  idle(): Promise<void>
  /** Starts nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>
}

/** `run` makes one attempt; whether it is to be made again. It never rejects. */
export function createRegistrationQueues(
  run: (jobId: string) => Promise<boolean>,
  concurrency?: number,
): RegistrationQueues {
  const queueById = new Map<string, RegistrationQueue>()
  const onStall = (change: number) => void (stalled += change)
  let present = 0
  let stalled = 0
  let underWay = 0
  let stopped = false

  const { idle, notify } = createIdleWaiters(() => (stopped ? underWay : present - stalled) === 0)

  async function start(queue: RegistrationQueue, job: JobRecord): Promise<void> {
    const isRetry = job.first_ended_at !== null
    underWay++
    const isAgain = await run(job.id)
    underWay--
    present--
    queue.end(job, { isRetry, isAgain })
    startNext(queue)
    notify()
  }

  function startNext(queue: RegistrationQueue): void {
    if (stopped) return
    for (let job = queue.take(); job; job = queue.take()) void start(queue, job)
  }

  return {
    add(job) {
      const queue = queueById.get(job.registration_id) ?? createRegistrationQueue({ concurrency, onStall })
      queueById.set(job.registration_id, queue)
      present++
      queue.add(job)
      startNext(queue)
    },
    release(job) {
      const queue = queueById.get(job.registration_id)
      queue?.release(job)
      if (queue) startNext(queue)
    },
    get stalled() {
      return stalled
    },
    idle,
    stop(): Promise<void> {
      stopped = true
      return idle()
    },
  }
}
