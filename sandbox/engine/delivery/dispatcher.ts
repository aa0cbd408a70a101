import { PARTICIPANT_TYPES } from '../../../spec/payments.ts'
import { ApiError } from '../core/api-error.ts'
import type { DeliveryFaults } from '../faults/delivery-faults.ts'
import type { JobRecord } from '../state/job.ts'
import type { Store } from '../state/store.ts'
import { createAttemptRecords, type AttemptRecordsPorts } from './attempt-records.ts'
import { targetUrl, type AttemptPorts } from './attempt.ts'
import { deliver } from './deliver.ts'
import { createDueJobs } from './due-jobs.ts'
import { createDeliveryQueue, type DeliveryQueue } from './delivery-queue.ts'

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

export function createDispatcher(ports: DispatcherPorts): Dispatcher {
  const { store } = ports
  const { records, queue, dueJobs } = connect(ports)
  let unsubscribe = () => {}

  async function stop(): Promise<void> {
    unsubscribe()
    dueJobs.stop()
    await queue.stop()
    // An attempt whose end is not on record would be sent again after the next start.
    await records.endUnrecorded()
  }

  return {
    get attempts() {
      return records.count
    },
    get pending() {
      return queue.pending
    },
    get lagging() {
      return records.lagging
    },
    start() {
      records.endInterrupted()
      unsubscribe = store.subscribe((head) => {
        const job = head.kind === 'job' ? store.job(head.id) : undefined
        if (job) dueJobs.add(job)
      })
      dueJobs.start()
    },
    nextDueAt: dueJobs.nextDueAt,
    idle(isWanted) {
      dueJobs.ring()
      return queue.idle(isWanted)
    },
    resend: ({ id }) => resend(id, queue, ports),
    stop,
    abandon() {
      records.abandon()
      void stop()
    },
  }
}

/** Due jobs → queue → attempt → record → next due time. */
function connect(ports: DispatcherPorts) {
  const { clock, store } = ports
  const isDue = ({ next_due_at }: JobRecord) => next_due_at !== null && next_due_at <= clock.now()
  const records = createAttemptRecords(ports)
  const deliverPorts = { ...ports, view: store, records }
  const queue = createDeliveryQueue({
    ...ports,
    findPayment: (job) => findPaymentOf(job, store),
    attempt: (delivery, onSent) => deliver(delivery, onSent, deliverPorts),
    isDue: (job) => isDue(job) || records.unrecorded(job.id) !== undefined,
    onEnded({ job: { id } }, result) {
      const job = store.job(id)
      // After a bug the same attempt is due still, and is not made again.
      if (job && (result === 'recorded' || !isDue(job))) dueJobs.add(job)
    },
  })
  const dueJobs = createDueJobs({
    clock,
    store,
    countQueued: () => queue.size,
    onDue(ordinal) {
      const job = store.jobAt(ordinal)
      // A due time may be out of date. The stored job counts.
      if (job && isDue(job)) void queue.add(job, false)
    },
  })
  return { records, queue, dueJobs }
}

const PARTICIPANTS: ReadonlySet<string> = new Set(Object.values(PARTICIPANT_TYPES))

/** Returns the id of the payment that created the object of the job. An object that only takes part, such as an item, has many. */
function findPaymentOf({ object_type, object_id }: JobRecord, { paymentOf }: Store): string | undefined {
  return PARTICIPANTS.has(object_type) ? undefined : paymentOf(object_type, object_id)?.id
}

async function resend(id: string, queue: DeliveryQueue, ports: DispatcherPorts): Promise<void> {
  const { store } = ports
  const job = store.job(id)
  if (!job) throw new ApiError('not-found', { field: 'id', message: `Cannot find job "${id}"` })
  refuseResend(job, queue.has(id), { ...ports, view: store })
  const before = job.attempts
  await queue.add(job, true)
  if (store.problem) throw store.problem
  if (store.job(id)?.attempts !== before) return
  throw new ApiError('conflict', `Cannot resend job "${id}": the attempt could not be made or recorded`)
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
