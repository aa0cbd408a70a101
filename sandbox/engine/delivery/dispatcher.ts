import { PARTICIPANT_TYPES } from '../../../spec/payments.ts'
import { ApiError } from '../core/api-error.ts'
import { createDueTimer } from '../core/due-timer.ts'
import type { RealTime } from '../core/ports.ts'
import type { DeliveryFaults } from '../faults/delivery-faults.ts'
import { createAttemptRecords, type AttemptRecordsPorts } from './attempt-records.ts'
import { targetUrl, type AttemptPorts } from './attempt.ts'
import { passes, StorageError } from '../state/log.ts'
import type { Store } from '../state/store.ts'
import { createDeliveryQueue, type ScheduledAttempt } from './delivery-queue.ts'
import type { JobRecord } from '../state/job.ts'

export interface DispatcherPorts extends AttemptRecordsPorts {
  readonly faults: DeliveryFaults
  /** How many first attempts of one registration may be sent at once. */
  readonly concurrency?: number | undefined
}

/** Sends what is due, when it is due, and records what came of it. */
export interface Dispatcher {
  /** How many attempts have ended so far. */
  readonly attempts: number
  /** How many are due now or under way, except what a fault holds back. */
  readonly pending: number
  /** How many have ended that do not show in `request_response` yet. Reading: job-recording-lag */
  readonly lagging: number
  /**
   * Records the attempts that were cut off when the sandbox ended, takes up the pending jobs of the store, and from now on every
   * new one once it is durable.
   */
  start(): void
  /** When the next attempt is due, among those not yet due. */
  nextDueAt(): number | undefined
  /** Resolves when nothing of these jobs, or of any, is due now or under way, except what a fault holds back. */
  idle(isAwaited?: (job: JobRecord) => boolean): Promise<void>
  /** Makes one more attempt of a job that failed, and records it. Throws ApiError if the job is in no state for it. */
  resend(job: Pick<JobRecord, 'id'>): Promise<void>
  /** Starts nothing more; resolves when what is under way has ended, that of which the beginning is being written included. */
  stop(): Promise<void>
  /** Starts nothing more, and forgets what is under way: its world is gone. */
  abandon(): void
}

/** How long an attempt waits, in real time, that could not start or not be recorded. */
const RETRY_LATER_MS = 1_000

export function createDispatcher(ports: DispatcherPorts): Dispatcher {
  const { store } = ports
  const { records, retriesLater, queue, dueTimer, schedule } = connect(ports)
  let unsubscribe = () => {}

  async function stop(): Promise<void> {
    unsubscribe()
    dueTimer.stop()
    retriesLater.stop()
    await queue.stop()
    // An attempt whose end is not on record would be sent again after the next start.
    await records.recordEnds()
  }

  return {
    get attempts() {
      return records.count
    },
    get pending() {
      return retriesLater.size + queue.pending
    },
    get lagging() {
      return records.lagging
    },
    start() {
      records.addInterrupted()
      unsubscribe = store.subscribe((head) => head.kind === 'job' && schedule(store.job(head.id)))
      for (const { dueAt, ordinal } of store.dueJobs()) dueTimer.add(dueAt, ordinal)
    },
    nextDueAt: dueTimer.nextDueAt,
    idle(isAwaited) {
      dueTimer.ring()
      return queue.idle(isAwaited)
    },
    async resend({ id }) {
      const job = store.job(id)
      if (!job) throw new ApiError('not-found', { field: 'id', message: `Cannot find job "${id}"` })
      refuseResend(job, queue.has(job.id), { ...ports, view: store })
      const before = job.attempts.length
      await queue.add(job, true)
      if (store.problem) throw store.problem
      if (store.job(job.id)?.attempts.length !== before) return
      const message = `Cannot resend job "${job.id}": the attempt could not be made or recorded`
      throw new ApiError('conflict', message)
    },
    stop,
    abandon() {
      records.abandon()
      void stop()
    },
  }
}

/** Due timer → queue → attempt → record → next due time. */
function connect(ports: DispatcherPorts) {
  const { clock, realTime, store, faults, onError } = ports
  const records = createAttemptRecords(ports)
  const retriesLater = createRetriesLater(realTime, store)
  const recorded = new Set<string>()
  const queue = createDeliveryQueue({
    ...ports,
    findJob: store.job,
    findPayment: (job) => findPaymentOf(job, store),
    run,
    // Its next attempt, which may have fallen due meanwhile.
    onEnded: (id) => recorded.delete(id) && schedule(store.job(id)),
  })
  const dueTimer = createDueTimer(clock, (ordinal) => {
    const job = store.jobAt(ordinal)
    // A due time may be out of date: what counts is the job as it stands.
    if (job && (job.next_due_at ?? Number.POSITIVE_INFINITY) <= clock.now()) void queue.add(job, false)
  })

  function schedule(job: JobRecord | undefined): void {
    if (job && job.next_due_at !== null) dueTimer.add(job.next_due_at, job.ordinal)
  }

  function again(job: JobRecord, { manual }: ScheduledAttempt): void {
    const present = store.job(job.id)
    if (present && records.isUnrecorded(job.id)) void queue.add(present, manual)
    else if (present && present.next_due_at !== null) schedule(present)
    else queue.giveUp(job)
  }

  /** Whether the attempt is to be made again as if it had not been. */
  async function run(id: string, scheduled: ScheduledAttempt, onSent: () => void): Promise<boolean> {
    const job = store.job(id)
    if (!job) return false
    try {
      const result = await records.attempt(job, scheduled, onSent)
      if (result === 'recorded') recorded.add(id)
      if (result === 'retry-later') retriesLater.add(() => again(job, scheduled))
      else faults.releaseOvertaken(job)
      return result === 'retry-later'
    } catch (error) {
      // What to send could not be read, and may be later.
      const isPassing = error instanceof StorageError && passes(error)
      if (isPassing) retriesLater.add(() => again(job, scheduled))
      else onError(job, error)
      return isPassing
    }
  }

  return { records, retriesLater, queue, dueTimer, schedule }
}

const PARTICIPANTS: ReadonlySet<string> = new Set(Object.values(PARTICIPANT_TYPES))

/** The payment that has created what the job is about; what only takes part, such as an item, has many. */
function findPaymentOf({ object_type, object_id }: JobRecord, { paymentOf }: Store): string | undefined {
  return PARTICIPANTS.has(object_type) ? undefined : paymentOf(object_type, object_id)?.id
}

/** What runs a little later, or all at once when the store takes changes again, unless it is stopped before. */
function createRetriesLater(realTime: RealTime, store: Pick<Store, 'problem' | 'onProblem'>) {
  const cancels = new Set<() => void>()
  let untilRecovered: (() => void)[] = []
  const unsubscribe = store.onProblem((problem) => {
    if (problem) return
    const runs = untilRecovered
    untilRecovered = []
    for (const run of runs) run()
  })
  return {
    get size() {
      return cancels.size + untilRecovered.length
    },
    add(run: () => void): void {
      if (store.problem) return void untilRecovered.push(run)
      const cancel = realTime.after(RETRY_LATER_MS, () => {
        cancels.delete(cancel)
        run()
      })
      cancels.add(cancel)
    },
    stop(): void {
      unsubscribe()
      untilRecovered = []
      for (const cancel of cancels) cancel()
    },
  }
}

/** Only failed webhooks can be resent, to a registration that is there. Source: §8, §6.1 */
function refuseResend(
  job: JobRecord,
  isUnderWay: boolean,
  ports: Pick<AttemptPorts, 'view' | 'readings'>,
): void {
  const refuse = (state: string, hint: string, command?: string) => {
    const message = `Cannot resend job "${job.id}": ${state}`
    throw new ApiError('conflict', { field: 'id', message, hint, ...(command !== undefined && { command }) })
  }
  const [again, deliverAgain] = ['send its body once more', `deliver --job ${job.id}`]
  if (isUnderWay) refuse('an attempt of it is due or under way', 'wait until it has ended')
  if (job.generation === 'callbacks')
    refuse('it is a callback, and only webhooks are resent', again, deliverAgain)
  if (job.status === 'success') refuse('it was delivered', again, deliverAgain)
  if (job.status === 'pending') refuse('it was not attempted yet', 'advance the clock to when it is due')
  if (targetUrl(job, ports) === undefined)
    refuse(
      'its registration is disabled or gone',
      'enable or register it again; then new changes are notified',
    )
}
