import { ApiError } from '../core/api-error.ts'
import type { DeliveryFaults } from '../faults/delivery-faults.ts'
import type { JobRecord } from '../state/indexes.ts'
import { createDueTimer } from '../core/due-timer.ts'
import { createDeferrals } from './deferrals.ts'
import { createRecorder, type RecorderPorts } from './recorder.ts'
import { refuseResend } from './resend.ts'
import { createTurns, type Turn } from './turns.ts'

export interface DispatcherPorts extends RecorderPorts {
  readonly faults: DeliveryFaults
  /** How many first attempts of one registration may be under way at once. */
  readonly concurrency?: number | undefined
}

/** Sends what is due, when it is due, and records what came of it. */
export interface Dispatcher {
  /** How many attempts have ended so far. */
  readonly attempts: number
  /** How many are due now or under way, what a fault holds back aside. */
  readonly pending: number
  /** How many have ended that do not show in `request_response` yet. Reading: job-recording-lag */
  readonly lagging: number
  /** Takes up the pending jobs of the store, and from now on every new one once it is durable. */
  start(): void
  /** When the next attempt is due, among those not yet due. */
  nextDueAt(): number | undefined
  /** Resolves when nothing is due now or under way, what a fault holds back aside. */
  idle(): Promise<void>
  /** Makes one more attempt of a job that failed, and records it. Throws ApiError if the job is in no state for it. */
  resend(job: JobRecord): Promise<void>
  /** Starts nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>
  /** Starts nothing more, and forgets what is under way: its world is gone. */
  abandon(): void
}

export function createDispatcher(ports: DispatcherPorts): Dispatcher {
  const { store } = ports
  const { recorder, deferrals, turns, dueTimer, schedule } = createSending(ports)
  let unsubscribe = () => {}

  function stop(): Promise<void> {
    unsubscribe()
    dueTimer.stop()
    deferrals.stop()
    return turns.stop()
  }

  return {
    get attempts() {
      return recorder.attempts
    },
    get pending() {
      return deferrals.size + turns.pending
    },
    get lagging() {
      return recorder.lagging
    },
    start() {
      unsubscribe = store.subscribe((head) => head.kind === 'job' && schedule(store.job(head.id)))
      for (const job of store.jobs()) schedule(job)
    },
    nextDueAt: dueTimer.nextDueAt,
    idle() {
      dueTimer.ring()
      return turns.idle()
    },
    async resend(job) {
      refuseResend(job, turns.has(job.id), { ...ports, view: store })
      const before = job.attempts.length
      await turns.take(job, true)
      if (store.job(job.id)?.attempts.length === before) throw notMade(job)
    },
    stop,
    abandon() {
      recorder.abandon()
      void stop()
    },
  }
}

/** From the time when a job falls due to the record of its attempt. */
function createSending(ports: DispatcherPorts) {
  const { clock, realTime, store, onError } = ports
  const recorder = createRecorder(ports)
  const deferrals = createDeferrals(realTime, (id) => schedule(store.job(id)))
  const recorded = new Set<string>()
  const turns = createTurns({
    ...ports,
    present: (id) => store.job(id),
    run,
    // Its next attempt, which may have fallen due meanwhile.
    onEnded: (id) => recorded.delete(id) && schedule(store.job(id)),
  })
  const dueTimer = createDueTimer(clock, (ordinal) => {
    const job = store.jobs()[ordinal]
    // A due time may be out of date: what counts is the job as it stands.
    if (job && (job.next_due_at ?? Number.POSITIVE_INFINITY) <= clock.now()) void turns.take(job, false)
  })

  async function run(id: string, turn: Turn): Promise<boolean> {
    const job = store.job(id)
    if (!job) return false
    try {
      const came = await recorder.record(id, turn)
      if (came === 'recorded') recorded.add(id)
      if (came === 'deferred') deferrals.add(id)
      else ports.faults.passed(job)
      return came === 'deferred'
    } catch (error) {
      onError(job, error)
    }
    return false
  }

  function schedule(job: JobRecord | undefined): void {
    if (job && job.next_due_at !== null) dueTimer.add(job.next_due_at, job.ordinal)
  }

  return { recorder, deferrals, turns, dueTimer, schedule }
}

function notMade({ id }: JobRecord): ApiError {
  return new ApiError('conflict', `Cannot resend job "${id}": the attempt could not be made or recorded`)
}
