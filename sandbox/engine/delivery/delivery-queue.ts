import { createQueue } from '../core/queue.ts'
import type { DeliveryFaults, Hold } from '../faults/delivery-faults.ts'
import type { FaultStateOn } from '../state/fault.ts'
import type { JobRecord } from '../state/job.ts'

/** How many first attempts one registration may have under way at once, and half as many retries. */
const CONCURRENCY = 64

/** A job's next attempt from when it is due until it has ended. */
export interface ScheduledAttempt {
  /** The faults that apply to it. */
  readonly faults: readonly FaultStateOn<'delivery'>[]
  /** Resent by hand. Source: §8 */
  readonly manual: boolean
}

/** Starts the attempts that are due, one at a time for each job, each registration's in a queue of its own. */
export interface DeliveryQueue {
  /** How many wait or are under way, without those that a fault holds back. */
  readonly pending: number
  has(jobId: string): boolean
  /** Resolves when the attempt has ended; the one that is scheduled for the job already, if there is one. */
  add(job: JobRecord, manual: boolean): Promise<void>
  /** Resolves when nothing waits or is under way, except what a fault holds back without an end. */
  idle(): Promise<void>
  /** Starts nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>
}

export interface DeliveryQueuePorts {
  readonly faults: DeliveryFaults
  readonly concurrency?: number | undefined
  /** The job as it stands; undefined if it is gone. */
  readonly findJob: (id: string) => JobRecord | undefined
  /** Makes the attempt; whether it is to be made again as if it had not been. Never rejects. */
  readonly run: (jobId: string, scheduled: ScheduledAttempt) => Promise<boolean>
  /** Called with each job whose attempt has ended. */
  readonly onEnded: (jobId: string) => void
}

interface QueuedAttempt extends ScheduledAttempt {
  readonly ended: PromiseWithResolvers<void>
  held: boolean
}

export function createDeliveryQueue(ports: DeliveryQueuePorts): DeliveryQueue {
  const { faults, findJob, run, onEnded } = ports
  const attemptByJob = new Map<string, QueuedAttempt>()
  const keptFaults = createKeptFaults(faults)
  const holds = createHolds()
  const registrations = createRegistrationQueues(runJob, ports.concurrency)
  let stopped = false

  async function runJob(id: string): Promise<void> {
    const scheduled = attemptByJob.get(id)
    if (!scheduled) return
    if (await run(id, scheduled)) keptFaults.keep(id, scheduled.faults)
    end(id, scheduled)
    onEnded(id)
  }

  async function hold(held: Hold, scheduled: QueuedAttempt, id: string): Promise<void> {
    scheduled.held = true
    await holds.wait(held)
    scheduled.held = false
    const job = findJob(id)
    if (job && !stopped) registrations.add(job)
    else end(id, scheduled)
  }

  const end = (id: string, { ended }: QueuedAttempt) => attemptByJob.delete(id) && ended.resolve()

  return {
    get pending() {
      return countPending(attemptByJob)
    },
    has: (id) => attemptByJob.has(id),
    add(job, manual) {
      const present = attemptByJob.get(job.id)
      if (present) return present.ended.promise
      const { repeated, ...about } = keptFaults.take(job)
      const scheduled = { ...about, manual, ended: Promise.withResolvers<void>(), held: false }
      attemptByJob.set(job.id, scheduled)
      // What is resent by hand is not held back, and nothing is held back twice.
      const onRelease = () => void (scheduled.held = false)
      const held = repeated || manual ? undefined : faults.hold(job, about.faults, onRelease)
      if (held) void hold(held, scheduled, job.id)
      else registrations.add(job)
      return scheduled.ended.promise
    },
    idle: () => holds.idle(registrations, () => !stopped && countPending(attemptByJob) > 0),
    async stop() {
      stopped = true
      holds.clear()
      await registrations.stop()
      // Whoever waits for an attempt that is never started must not wait forever.
      for (const { ended } of attemptByJob.values()) ended.resolve()
    },
  }
}

function countPending(attempts: ReadonlyMap<string, QueuedAttempt>): number {
  return [...attempts.values()].filter(({ held }) => !held).length
}

/** The faults of an attempt that is made again are not matched once more. */
function createKeptFaults(faults: Pick<DeliveryFaults, 'match'>) {
  const keptByJob = new Map<string, readonly FaultStateOn<'delivery'>[]>()
  return {
    keep: (jobId: string, matched: readonly FaultStateOn<'delivery'>[]) => void keptByJob.set(jobId, matched),
    take(job: JobRecord): {
      readonly faults: readonly FaultStateOn<'delivery'>[]
      readonly repeated: boolean
    } {
      const kept = keptByJob.get(job.id)
      keptByJob.delete(job.id)
      return { faults: kept ?? faults.match(job), repeated: kept !== undefined }
    },
  }
}

/** What faults hold back. */
function createHolds() {
  const timedReleases = new Set<Promise<void>>()
  return {
    async wait({ release, timed }: Hold): Promise<void> {
      if (timed) timedReleases.add(release)
      await release
      timedReleases.delete(release)
    },
    /** Resolves when the queues are idle, nothing is held that goes on by itself, and nothing was released that is not queued yet. */
    async idle(queues: { readonly idle: () => Promise<void> }, isJoining: () => boolean): Promise<void> {
      for (await queues.idle(); timedReleases.size > 0 || isJoining(); await queues.idle())
        await Promise.all(timedReleases)
    },
    clear: () => timedReleases.clear(),
  }
}

/** The queues of all registrations, each independent of the others. `run` makes one attempt and never rejects. */
function createRegistrationQueues(run: (jobId: string) => Promise<void>, concurrency?: number) {
  const queueById = new Map<string, RegistrationQueue>()
  const waiting = new Set<() => void>()
  let present = 0
  let underWay = 0
  let stopped = false

  const isIdle = () => (stopped ? underWay : present) === 0

  async function start(queue: RegistrationQueue, job: JobRecord): Promise<void> {
    const isRetry = job.first_ended_at !== null
    underWay++
    await run(job.id)
    underWay--
    present--
    queue.end(job, isRetry)
    startNext(queue)
    if (!isIdle()) return
    for (const resolve of waiting) resolve()
    waiting.clear()
  }

  function startNext(queue: RegistrationQueue): void {
    if (stopped) return
    for (let job = queue.take(); job; job = queue.take()) void start(queue, job)
  }

  async function idle(): Promise<void> {
    if (!isIdle()) await new Promise<void>((resolve) => waiting.add(resolve))
  }

  return {
    add(job: JobRecord): void {
      const queue = queueById.get(job.registration_id) ?? createRegistrationQueue(concurrency)
      queueById.set(job.registration_id, queue)
      present++
      queue.add(job)
      startNext(queue)
    },
    idle,
    stop(): Promise<void> {
      stopped = true
      return idle()
    },
  }
}

/**
 * The jobs of one registration that are due. First attempts start in trigger order, and those of one object one after
 * the other, so that a healthy receiver sees an object's states in order. Retries have places of their own, so that
 * they never hold up a later job.
 */
interface RegistrationQueue {
  add(job: JobRecord): void
  /** The next job that may start now; it is under way until `end`. */
  take(): JobRecord | undefined
  end(job: JobRecord, isRetry: boolean): void
}

function createRegistrationQueue(concurrency = CONCURRENCY): RegistrationQueue {
  const firsts = createQueue<JobRecord>()
  const retries = createQueue<JobRecord>()
  const busyObjects = new Set<string>()
  let firstsUnderWay = 0
  let retriesUnderWay = 0

  function takeFirst(): JobRecord | undefined {
    const job = firsts.peek()
    if (!job || firstsUnderWay >= concurrency || busyObjects.has(job.object_id)) return undefined
    firsts.shift()
    firstsUnderWay++
    busyObjects.add(job.object_id)
    return job
  }

  function takeRetry(): JobRecord | undefined {
    const job = retriesUnderWay < Math.ceil(concurrency / 2) ? retries.shift() : undefined
    if (job) retriesUnderWay++
    return job
  }

  return {
    add(job) {
      if (job.first_ended_at === null) firsts.push(job)
      else retries.push(job)
    },
    take: () => takeFirst() ?? takeRetry(),
    end(job, isRetry) {
      if (isRetry) {
        retriesUnderWay--
        return
      }
      firstsUnderWay--
      busyObjects.delete(job.object_id)
    },
  }
}
