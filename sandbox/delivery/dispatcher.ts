import type { AttemptHead, Entry } from '../state/entries.ts'
import type { JobRecord } from '../state/indexes.ts'
import type { Store } from '../state/store.ts'
import { createAlarm } from './alarm.ts'
import { attempt, targetOf, type AttemptPorts } from './attempt.ts'
import { createDeferrals } from './deferrals.ts'
import { createLanes } from './lanes.ts'

export interface DispatcherPorts extends Omit<AttemptPorts, 'view'> {
  readonly store: Store
  /** How many first attempts of one registration may be under way at once. */
  readonly concurrency?: number | undefined
  /** Told of each attempt when it has ended and is recorded. */
  readonly onAttempt: (job: JobRecord, attempt: AttemptHead) => void
  /** Told of a bug or a broken store; the job stays due and is taken up again at the next start. */
  readonly onError: (job: JobRecord, error: unknown) => void
}

/** Sends what is due, when it is due, and records what came of it. */
export interface Dispatcher {
  /** How many attempts have ended so far. */
  readonly attempts: number
  /** Takes up the pending jobs of the store, and from now on every new one once it is durable. */
  start(): void
  /** When the next attempt is due, among those not yet due. */
  nextDueAt(): number | undefined
  /** Resolves when nothing is due now or under way. */
  idle(): Promise<void>
  /** Starts nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>
}

export function createDispatcher(ports: DispatcherPorts): Dispatcher {
  const { clock, realTime, store, onAttempt, onError } = ports
  const attemptPorts: AttemptPorts = { ...ports, view: store }
  const lanes = createLanes(
    (job) => attemptAndRecord(job.id).catch((error: unknown) => onError(job, error)),
    ports.concurrency,
  )
  const alarm = createAlarm(clock, (ordinal) => {
    const job = store.jobs()[ordinal]
    // A due time may be out of date: what counts is the job as it stands.
    if (job && (job.next_due_at ?? Number.POSITIVE_INFINITY) <= clock.now()) lanes.add(job)
  })
  const deferrals = createDeferrals(realTime, (id) => schedule(store.job(id)))
  let attempts = 0

  async function attemptAndRecord(id: string): Promise<void> {
    const made = await attemptOf(id, attemptPorts)
    if (!made) return
    // What could not start, or is not on record, did not happen: it is sent again.
    const kept =
      made.entry.head.reason !== 'out_of_resources' &&
      (await isKept(store, made.entry, (error) => onError(made.job, error)))
    if (!kept) return deferrals.add(id)
    attempts++
    schedule(made.job)
    onAttempt(made.job, made.entry.head)
  }

  function schedule(job: JobRecord | undefined): void {
    if (job && job.next_due_at !== null) alarm.add(job.next_due_at, job.ordinal)
  }

  return {
    get attempts() {
      return attempts
    },
    start() {
      store.subscribe((head) => head.kind === 'job' && schedule(store.job(head.id)))
      for (const job of store.jobs()) schedule(job)
    },
    nextDueAt: alarm.nextDueAt,
    idle() {
      alarm.ring()
      return lanes.idle()
    },
    stop() {
      alarm.stop()
      deferrals.stop()
      return lanes.stop()
    },
  }
}

interface Made {
  readonly job: JobRecord
  readonly entry: Entry<AttemptHead>
}

/** The attempt that the job is due for, as it stands now; undefined if there is none, or if it was cut off. */
async function attemptOf(id: string, ports: AttemptPorts): Promise<Made | undefined> {
  // As it stands: a store that failed has gone back to what was durable.
  const job = ports.view.job(id)
  const dueAt = job?.next_due_at ?? null
  if (!job || dueAt === null || targetOf(job, ports) === undefined) return undefined
  const entry = await attempt(job, dueAt, ports)
  // Cut off because the sandbox stops: the job stays due and is sent again after the next start.
  return entry.head.reason === 'interrupted' ? undefined : { job, entry }
}

async function isKept(store: Store, entry: Entry, onError: (error: unknown) => void): Promise<boolean> {
  try {
    await store.commit([entry])
    return true
  } catch (error) {
    onError(error)
    return false
  }
}
