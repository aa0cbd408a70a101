import type { AttemptHead } from '../state/entries.ts'
import type { JobRecord } from '../state/indexes.ts'
import type { Store } from '../state/store.ts'
import { createAlarm } from './alarm.ts'
import { attempt, targetOf, type AttemptPorts } from './attempt.ts'
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

/** How long an attempt waits, in real time, that could not start for want of sockets or memory. */
const DEFERRAL_MS = 1_000

export function createDispatcher(ports: DispatcherPorts): Dispatcher {
  const { clock, realTime, store, onAttempt, onError } = ports
  const attemptPorts: AttemptPorts = { ...ports, view: store }
  const lanes = createLanes(
    (job) => run(job).catch((error: unknown) => onError(job, error)),
    ports.concurrency,
  )
  const alarm = createAlarm(clock, (ordinal) => {
    const job = store.jobs()[ordinal]
    if (job && job.next_due_at !== null) lanes.add(job)
  })
  let attempts = 0

  async function run(job: JobRecord): Promise<void> {
    const dueAt = job.next_due_at
    if (dueAt === null || targetOf(job, attemptPorts) === undefined) return
    const entry = await attempt(job, dueAt, attemptPorts)
    // Cut off because the sandbox stops: the job stays due and is sent again after the next start.
    if (entry.head.reason === 'interrupted') return
    if (entry.head.reason === 'out_of_resources') {
      realTime.after(DEFERRAL_MS, () => schedule(job))
      return
    }
    await store.commit([entry])
    attempts++
    schedule(job)
    onAttempt(job, entry.head)
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
      return lanes.stop()
    },
  }
}
