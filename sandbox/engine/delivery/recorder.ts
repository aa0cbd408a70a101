import type { AttemptHead, Entry } from '../state/entries.ts'
import type { JobRecord } from '../state/indexes.ts'
import type { Store } from '../state/store.ts'
import { attempt, targetOf, type AttemptPorts } from './attempt.ts'
import type { Turn } from './turns.ts'

export interface RecorderPorts extends Omit<AttemptPorts, 'view'> {
  readonly store: Store
  /** Told of each attempt when it has ended and is recorded. */
  readonly onAttempt: (job: JobRecord, attempt: AttemptHead) => void
  /** Told of a bug or a broken store. */
  readonly onError: (job: JobRecord, error: unknown) => void
}

/**
 * `recorded`: the attempt is on record. `deferred`: it could not start, or not be recorded, and is to be made again.
 * `none`: there is nothing to send, nobody to send it to, or no world any more that it belongs to.
 */
export type Recorded = 'recorded' | 'deferred' | 'none'

/** Makes attempts and keeps what came of them. */
export interface Recorder {
  /** How many are on record so far. */
  readonly attempts: number
  /** How many of them do not show in `request_response` yet. Reading: job-recording-lag */
  readonly lagging: number
  /** Makes the next attempt of a job as it stands now. */
  record(id: string, turn: Turn): Promise<Recorded>
  /** Keeps nothing more: the world is gone. */
  abandon(): void
}

export function createRecorder(ports: RecorderPorts): Recorder {
  const { store, realTime, readings, onAttempt, onError } = ports
  const recordedAt: number[] = []
  let attempts = 0
  let abandoned = false

  function forgetShown(): void {
    const since = realTime.now() - readings['job-recording-lag']
    while ((recordedAt[0] ?? Number.POSITIVE_INFINITY) <= since) recordedAt.shift()
  }

  return {
    get attempts() {
      return attempts
    },
    get lagging() {
      forgetShown()
      return recordedAt.length
    },
    async record(id, turn) {
      const made = await attemptOf(id, turn, { ...ports, view: store })
      if (!made || abandoned) return 'none'
      const { job, entry } = made
      // What could not start, or is not on record, did not happen: it is sent again.
      const kept =
        entry.head.reason !== 'out_of_resources' &&
        (await isKept(store, entry, (error) => onError(job, error)))
      if (!kept) return 'deferred'
      attempts++
      recordedAt.push(entry.head.recorded_at)
      forgetShown()
      onAttempt(job, entry.head)
      return 'recorded'
    },
    abandon() {
      abandoned = true
    },
  }
}

interface Made {
  readonly job: JobRecord
  readonly entry: Entry<AttemptHead>
}

/** The attempt that the job is due for, as it stands now; undefined if there is none, or if it was cut off. */
async function attemptOf(id: string, turn: Turn, ports: AttemptPorts): Promise<Made | undefined> {
  // As it stands: a store that failed has gone back to what was durable.
  const job = ports.view.job(id)
  const dueAt = turn.manual ? ports.clock.now() : (job?.next_due_at ?? null)
  if (!job || dueAt === null || targetOf(job, ports) === undefined) return undefined
  const entry = await attempt(job, { ...turn, dueAt }, ports)
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
