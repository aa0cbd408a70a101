import { PARTICIPANT_TYPES } from '../../../spec/payments.ts'
import { ApiError } from '../core/api-error.ts'
import { createDueWork } from '../core/due-work.ts'
import type { Clock } from '../core/ports.ts'
import type { DeliveryFaults } from '../faults/delivery-faults.ts'
import type { JobRecord } from '../state/job.ts'
import { isTemporary, StorageError } from '../state/storage-error.ts'
import type { Store } from '../state/store.ts'
import {
  createAttemptRecords,
  isInterrupted,
  type AttemptRecords,
  type AttemptRecordsPorts,
} from './attempt-records.ts'
import { makeAttempt, targetUrl, type AttemptPorts } from './attempt.ts'
import { createDeliveryQueue, type AttemptResult, type DeliveryQueue } from './delivery-queue.ts'
import { whenEnded, type QueuedDelivery } from './queued-delivery.ts'

export interface DispatcherPorts extends AttemptPorts, AttemptRecordsPorts {
  readonly clock: Clock
  readonly realTime: AttemptPorts['realTime']
  readonly faults: DeliveryFaults
  readonly concurrency?: number | undefined
}

export function createDispatcher(ports: DispatcherPorts) {
  const { clock, store } = ports
  const isDue = ({ next_due_at }: JobRecord) => next_due_at !== null && next_due_at <= clock.now()
  const records = createAttemptRecords(ports)
  const deliverPorts = { ...ports, records }
  const queue = createDeliveryQueue({
    ...ports,
    findPayment: (job) => findPaymentOf(job, store),
    attempt: (delivery, onSent) => deliver(delivery, onSent, deliverPorts),
    isDue: (job) => isDue(job) || records.unrecorded(job.id) !== undefined,
    onEnded({ job: { id } }, result) {
      const job = store.job(id)
      // After an unexpected error, the job stays due in the store, but this process does not send it again.
      if (job && (result === 'recorded' || !isDue(job))) dueJobs.add(job)
    },
  })
  const { jobCount: count, jobAt: at, dueJobs: due, nextDueAt } = store
  const dueJobs = createDueWork(clock, { count, at, due, nextDueAt }, (job) => queue.add(job, false))
  let unsubscribe = () => {}

  async function stop(): Promise<void> {
    unsubscribe()
    dueJobs.stop()
    await queue.stop()
    // Records the ended attempts now, because an attempt without a recorded end would be sent again after a restart.
    await records.endUnrecorded()
  }

  return {
    attempts: records.count,
    /** Returns the number of attempts that are due or in flight. Excludes attempts that a fault delays. */
    pending: queue.pending,
    lagging: records.lagging,
    /** Records interrupted attempts and loads pending jobs. Then sends each new job once it is durable. */
    start(): void {
      records.endInterrupted()
      unsubscribe = store.subscribe((head) => {
        const job = head.kind === 'job' ? store.job(head.id) : undefined
        if (job) dueJobs.add(job)
      })
      dueJobs.start()
    },
    nextDueAt: dueJobs.nextDueAt,
    /** Resolves when no job is due or in flight. Does not wait for deliveries that a fault delays. */
    idle(isAwaited?: (job: JobRecord) => boolean): Promise<void> {
      dueJobs.ring()
      return queue.idle(isAwaited)
    },
    attemptsEnded: queue.ended,
    /** Makes an additional attempt for a failed job. Throws ApiError if the job has not failed. */
    resend: ({ id }: Pick<JobRecord, 'id'>) => resend(id, queue, ports),
    /** Starts no further attempts. Resolves when the attempts in flight have ended and are recorded. */
    stop,
    /** Starts no further attempts and drops the attempts in flight, because the world was removed. */
    abandon(): void {
      records.abandon()
      void stop()
    },
  }
}

interface DeliverPorts extends DispatcherPorts {
  readonly records: AttemptRecords
}

async function deliver(
  delivery: QueuedDelivery,
  onSent: () => void,
  ports: DeliverPorts,
): Promise<AttemptResult> {
  try {
    return ports.store.problem ? 'later' : await attempt(delivery, onSent, ports)
  } catch (error) {
    if (error instanceof StorageError && isTemporary(error)) return 'later'
    ports.onError(delivery.job, error)
    return 'none'
  }
}

async function attempt(
  { job: { id }, faults, manual }: QueuedDelivery,
  onSent: () => void,
  ports: DeliverPorts,
): Promise<AttemptResult> {
  const { store, clock, records } = ports
  const before = records.unrecorded(id)
  if (before && !(await records.end(before))) return 'later'
  if (before && !isInterrupted(before)) return 'recorded'
  // Reads the job again, because the store returns to its last durable state after a failed write.
  const job = store.job(id)
  const dueAt = manual ? clock.now() : (job?.next_due_at ?? Number.POSITIVE_INFINITY)
  if (!job || dueAt > clock.now()) return 'none'
  const url = targetUrl(job, ports)
  // Only the state of the registration at the due time matters, not an earlier state. Source: §6.1.5. Reading: pending-retries
  if (url === undefined) return manual || (await records.callOff(job)) ? 'none' : 'later'
  let hasBegun = false
  const ended = await makeAttempt(
    job,
    {
      url,
      dueAt,
      faults,
      manual,
      begin(entry) {
        hasBegun = true
        return records.begin(job, entry)
      },
    },
    ports,
  )
  if (!ended) return 'none'
  if (ended.head.reason === 'out_of_resources') return 'later'
  const recorded = records.end(ended)
  // If no start is recorded, for example because a fault dropped the message, no POST was sent.
  if (hasBegun) onSent()
  return (await recorded) ? 'recorded' : 'later'
}

const PARTICIPANTS: ReadonlySet<string> = new Set(Object.values(PARTICIPANT_TYPES))

/** Returns the payment of the object, or undefined for a participant such as an item, which has many payments. */
function findPaymentOf({ object_type, object_id }: JobRecord, { paymentOf }: Store): string | undefined {
  return PARTICIPANTS.has(object_type) ? undefined : paymentOf(object_type, object_id)?.id
}

async function resend(id: string, queue: DeliveryQueue, ports: DispatcherPorts): Promise<void> {
  const { store } = ports
  const job = store.job(id)
  if (!job) throw new ApiError('not-found', { field: 'id', message: `Cannot find job "${id}"` })
  refuseResend(job, queue.has(id), ports)
  const before = job.attempts
  await whenEnded(queue.add(job, true))
  if (store.problem) throw store.problem
  if (store.job(id)?.attempts !== before) return
  throw new ApiError('conflict', `Cannot resend job "${id}": the attempt could not be made or recorded`)
}

/** Throws ApiError unless the job is a failed webhook whose registration still exists. Source: §8, §6.1 */
function refuseResend(job: JobRecord, isUnderWay: boolean, ports: AttemptPorts): void {
  const refuse = (state: string, hint: string, command?: string) => {
    const message = `Cannot resend job "${job.id}": ${state}`
    throw new ApiError('conflict', { field: 'id', message, hint, ...(command !== undefined && { command }) })
  }
  const [again, deliverAgain] = ['send the body of the job once more', `deliver --job ${job.id}`]
  if (isUnderWay) refuse('an attempt of this job is due or in progress', 'wait until the attempt has ended')
  if (job.generation === 'callbacks')
    refuse('the job belongs to a callback, and only jobs of webhooks can be resent', again, deliverAgain)
  if (job.status === 'success') refuse('the job was delivered', again, deliverAgain)
  if (job.status === 'pending') refuse('the job has had no attempt yet', 'advance the clock to the due time')
  if (targetUrl(job, ports) === undefined)
    refuse(
      'the registration of the job is disabled or deleted',
      'enable the registration, or register the URL again. The service then sends notifications of new changes',
    )
}
