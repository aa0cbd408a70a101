import type { DeliveryFaults, Hold } from '../faults/delivery-faults.ts'
import type { FaultStateOn } from '../state/fault.ts'
import type { JobRecord } from '../state/job.ts'
import { createRegistrationQueues } from './registration-queues.ts'

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
  /** An attempt that was to be made again is not: what waited for it goes on. */
  giveUp(job: JobRecord): void
  /**
   * Resolves when nothing waits or is under way, except what a fault holds back without an end, and what waits for a job of its
   * object that is to be attempted again later.
   */
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
  /** Made again: its faults were matched before. */
  readonly repeated: boolean
  readonly ended: PromiseWithResolvers<void>
  held: boolean
}

export function createDeliveryQueue(ports: DeliveryQueuePorts): DeliveryQueue {
  const { faults, findJob, run, onEnded } = ports
  const attempts = createQueuedAttempts(faults)
  const holds = createHolds()
  const registrations = createRegistrationQueues(runJob, ports.concurrency)
  let stopped = false

  async function runJob(id: string): Promise<boolean> {
    const scheduled = attempts.get(id)
    if (!scheduled) return false
    const isAgain = await run(id, scheduled)
    attempts.end(id, isAgain)
    onEnded(id)
    return isAgain
  }

  async function hold(held: Hold, scheduled: QueuedAttempt, id: string): Promise<void> {
    scheduled.held = true
    await holds.wait(held)
    scheduled.held = false
    const job = findJob(id)
    if (job && !stopped) registrations.add(job)
    else attempts.end(id, false)
  }

  return {
    get pending() {
      return attempts.pending
    },
    has: (id) => attempts.get(id) !== undefined,
    add(job, manual) {
      const present = attempts.get(job.id)
      if (present) return present.ended.promise
      const scheduled = attempts.add(job, manual)
      const held = findHold(job, scheduled, faults)
      if (held) void hold(held, scheduled, job.id)
      else registrations.add(job)
      return scheduled.ended.promise
    },
    giveUp(job) {
      attempts.forget(job.id)
      registrations.release(job)
    },
    idle: () => holds.idle(registrations, () => !stopped && attempts.pending > registrations.stalled),
    async stop() {
      stopped = true
      holds.clear()
      await registrations.stop()
      // Whoever waits for an attempt that is never started must not wait forever.
      attempts.resolveAll()
    },
  }
}

/** What holds it back: nothing if it is resent by hand, and nothing twice. */
function findHold(
  job: JobRecord,
  scheduled: QueuedAttempt,
  { hold }: Pick<DeliveryFaults, 'hold'>,
): Hold | undefined {
  if (scheduled.repeated || scheduled.manual) return undefined
  return hold(job, scheduled.faults, () => void (scheduled.held = false))
}

/** The attempt of each job that is due or under way; the faults of one that is made again are not matched once more. */
function createQueuedAttempts({ match }: Pick<DeliveryFaults, 'match'>) {
  const attemptByJob = new Map<string, QueuedAttempt>()
  const keptFaultsByJob = new Map<string, QueuedAttempt['faults']>()
  return {
    get pending() {
      return [...attemptByJob.values()].filter(({ held }) => !held).length
    },
    get: (jobId: string) => attemptByJob.get(jobId),
    add(job: JobRecord, manual: boolean): QueuedAttempt {
      const kept = keptFaultsByJob.get(job.id)
      keptFaultsByJob.delete(job.id)
      const scheduled = {
        faults: kept ?? match(job),
        repeated: kept !== undefined,
        manual,
        ended: Promise.withResolvers<void>(),
        held: false,
      }
      attemptByJob.set(job.id, scheduled)
      return scheduled
    },
    /** One that is to be made again keeps its faults. */
    end(jobId: string, isAgain: boolean): void {
      const scheduled = attemptByJob.get(jobId)
      if (scheduled && isAgain) keptFaultsByJob.set(jobId, scheduled.faults)
      attemptByJob.delete(jobId)
      scheduled?.ended.resolve()
    },
    forget: (jobId: string) => void keptFaultsByJob.delete(jobId),
    resolveAll() {
      for (const { ended } of attemptByJob.values()) ended.resolve()
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
