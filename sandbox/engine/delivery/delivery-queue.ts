import type { RealTime } from '../core/ports.ts'
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
   * Resolves when nothing of these jobs, or of any, waits or is under way, except what a fault holds back without an end, and
   * what waits for a job that is to be attempted again later.
   */
  idle(isAwaited?: (job: JobRecord) => boolean): Promise<void>
  /** Starts nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>
}

export interface DeliveryQueuePorts {
  readonly faults: DeliveryFaults
  readonly realTime: Pick<RealTime, 'soon'>
  readonly concurrency?: number | undefined
  /** The payment that a job is a step of; undefined if it is of none. */
  readonly findPayment: (job: JobRecord) => string | undefined
  /** The job as it stands; undefined if it is gone. */
  readonly findJob: (id: string) => JobRecord | undefined
  /** Makes the attempt, and calls back when it was sent; whether it is to be made again as if it had not been. Never rejects. */
  readonly run: (jobId: string, scheduled: ScheduledAttempt, onSent: () => void) => Promise<boolean>
  /** Called with each job whose attempt has ended. */
  readonly onEnded: (jobId: string) => void
}

interface QueuedAttempt extends ScheduledAttempt {
  readonly job: JobRecord
  /** Made again: its faults were matched before. */
  readonly repeated: boolean
  readonly ended: PromiseWithResolvers<void>
  /** What a fault holds back, and whether it goes on by itself. */
  held?: 'timed' | 'until-released' | undefined
}

export function createDeliveryQueue(ports: DeliveryQueuePorts): DeliveryQueue {
  const { faults, realTime, findJob, run, onEnded } = ports
  const attempts = createQueuedAttempts(faults)
  const ends = createEnds(realTime)
  const registrations = createRegistrationQueues({ ...ports, run: runJob, onStall: ends.onStall })
  let stopped = false

  async function runJob(id: string, onSent: () => void): Promise<boolean> {
    const scheduled = attempts.get(id)
    if (!scheduled) return false
    const isAgain = await run(id, scheduled, onSent)
    attempts.end(id, isAgain)
    onEnded(id)
    return isAgain
  }

  async function hold(held: Hold, scheduled: QueuedAttempt): Promise<void> {
    await untilReleased(held, scheduled)
    const job = findJob(scheduled.job.id)
    if (job && !stopped) registrations.add(job)
    else attempts.end(scheduled.job.id, false)
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
      if (held) void hold(held, scheduled)
      else registrations.add(job)
      return scheduled.ended.promise
    },
    giveUp(job) {
      attempts.forget(job.id)
      registrations.release(job)
    },
    idle(isAwaited = () => true) {
      const goesOn = ({ held, job }: QueuedAttempt) =>
        isAwaited(job) && held !== 'until-released' && !registrations.isStalled(job)
      return ends.wait(() => (stopped ? undefined : attempts.find(goesOn)))
    },
    async stop() {
      stopped = true
      await registrations.stop()
      // Whoever waits for an attempt that is never started must not wait forever.
      attempts.resolveAll()
    },
  }
}

/** Resolves when what is held back may go on. */
async function untilReleased({ release, timed }: Hold, scheduled: QueuedAttempt): Promise<void> {
  scheduled.held = timed ? 'timed' : 'until-released'
  await release
  scheduled.held = undefined
}

/** What holds it back: nothing if it is resent by hand, and nothing twice. */
function findHold(
  job: JobRecord,
  scheduled: QueuedAttempt,
  { hold }: Pick<DeliveryFaults, 'hold'>,
): Hold | undefined {
  if (scheduled.repeated || scheduled.manual) return undefined
  return hold(job, scheduled.faults, () => void (scheduled.held = undefined))
}

/** The attempt of each job that is due or under way; the faults of one that is made again are not matched once more. */
function createQueuedAttempts({ match }: Pick<DeliveryFaults, 'match'>) {
  const attemptByJob = new Map<string, QueuedAttempt>()
  const keptFaultsByJob = new Map<string, QueuedAttempt['faults']>()
  return {
    get pending() {
      return [...attemptByJob.values()].filter(({ held }) => held === undefined).length
    },
    find(agrees: (attempt: QueuedAttempt) => boolean): QueuedAttempt | undefined {
      for (const attempt of attemptByJob.values()) if (agrees(attempt)) return attempt
      return undefined
    },
    get: (jobId: string) => attemptByJob.get(jobId),
    add(job: JobRecord, manual: boolean): QueuedAttempt {
      const kept = keptFaultsByJob.get(job.id)
      keptFaultsByJob.delete(job.id)
      const scheduled: QueuedAttempt = {
        job,
        faults: kept ?? match(job),
        repeated: kept !== undefined,
        manual,
        ended: Promise.withResolvers<void>(),
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

/** Waits for the ends of attempts. */
function createEnds({ soon }: Pick<RealTime, 'soon'>) {
  const looks = new Set<() => void>()
  let isLookDue = false

  function lookAll(): void {
    isLookDue = false
    for (const look of looks) look()
  }

  return {
    /** Some may wait for one now that is to be attempted again later: whoever waits looks again, once for all that stall together. */
    onStall(): void {
      if (isLookDue || looks.size === 0) return
      isLookDue = true
      soon(lookAll)
    },
    /** Resolves when `find` finds none. It waits for one at a time: there may be many thousands, and each may stall. */
    async wait(find: () => QueuedAttempt | undefined): Promise<void> {
      for (let found = find(); found; found = find()) {
        const { promise, resolve } = Promise.withResolvers<void>()
        looks.add(resolve)
        void found.ended.promise.then(resolve)
        await promise
        looks.delete(resolve)
      }
    },
  }
}
