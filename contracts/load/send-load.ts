import type { Books, LoadMessage } from './books.ts'
import type { ConnectionPlaces } from './connection-places.ts'
import type { LoadSender } from './load-sender.ts'
import { isAccepted, type Interval, type Recorder } from './measurements.ts'
import type { Schedule } from './schedule.ts'
import type { Stopwatch } from '../probes/stopwatch.ts'
import { createInFlight, createLimit } from '../toolkit/scheduling.ts'

/** Creates notifications in order. Creates `ahead` notifications in advance, and at most `atOnce` at the same time. */
export function createSupply<Planned>(
  plan: Iterator<Planned | null>,
  make: (planned: Planned) => Promise<LoadMessage>,
  { ahead, atOnce }: { readonly ahead: number; readonly atOnce: number },
) {
  const inTurn = createLimit(atOnce)
  const ordered: (Promise<LoadMessage | undefined> | null)[] = []
  let isClosed = false

  function order(planned: Planned): Promise<LoadMessage | undefined> {
    const made = inTurn(async () => (isClosed ? undefined : make(planned)))
    // Prevents an unhandled rejection. The caller of `take` still receives the error.
    made.catch(() => {})
    return made
  }

  function refill(size: number): void {
    if (isClosed) return
    while (ordered.length < size) {
      const { done, value } = plan.next()
      if (done === true) return
      ordered.push(value === null ? null : order(value))
    }
  }

  return {
    /** Resolves when the first `ahead` notifications are ready. Rejects if one of these notifications cannot be created. */
    async fill() {
      refill(ahead)
      await Promise.all(ordered.filter((each) => each !== null))
    },
    /** Returns the next notification, null for an empty position of the schedule, or undefined at the end of the schedule. */
    take() {
      refill(ahead + 1)
      return ordered.shift()
    },
    /** Stops creating notifications. Callers that are waiting for a notification get undefined. */
    close() {
      isClosed = true
    },
  }
}

export interface Progress {
  readonly atMs: number
  readonly interval: Interval
}

interface LoadPorts extends Stopwatch {
  readonly supply: ReturnType<typeof createSupply>
  readonly send: LoadSender
  readonly places: ConnectionPlaces
  readonly recorder: Recorder
  readonly books: Pick<Books, 'note'>
  readonly drainMs: number
  /** A signal that stops the load when aborted. Notifications in flight are completed. */
  readonly stop?: AbortSignal | undefined
  /** Called about once a second. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** The loop yields to the event loop after this number of notifications, so that Node can process answers. */
const MAX_AT_ONCE = 64
/** The loop's longest sleep, in milliseconds. After each sleep, the loop checks whether it must stop. */
const LONGEST_NAP_MS = 200

/** Sends each notification at its due time. Returns the elapsed milliseconds. Rejects if a notification cannot be created. */
export async function sendLoad(schedule: Schedule, ports: LoadPorts): Promise<number> {
  const { elapsed, supply, recorder } = ports
  await supply.fill()
  const startedAt = elapsed()
  const delivery = { inTurn: createObjectTurns(), now: () => elapsed() - startedAt }
  const tell = createTeller(ports)
  const inFlight = createInFlight()
  const isStopped = () => ports.stop?.aborted === true
  let inARow = 0
  for (const dueMs of schedule.dueTimes()) {
    let waitMs = dueMs - delivery.now()
    if (waitMs > 0 || ++inARow >= MAX_AT_ONCE) {
      inARow = 0
      do {
        await sleep(Math.min(LONGEST_NAP_MS, Math.max(0, waitMs)), ports)
        tell(delivery.now())
        waitMs = dueMs - delivery.now()
      } while (waitMs >= 1 && !isStopped())
    }
    const given = isStopped() ? undefined : supply.take()
    if (given === undefined) break
    if (given === null) continue
    recorder.offer(dueMs)
    inFlight.add(deliver({ given, dueMs, ...delivery }, ports))
    inFlight.requireSuccess()
  }
  await drain(inFlight, ports, () => tell(delivery.now()))
  return delivery.now()
}

const TELL_MS = 1_000

function createTeller({ recorder, onProgress }: LoadPorts): (nowMs: number) => void {
  let toldMs = 0
  return (nowMs) => {
    if (!onProgress || nowMs - toldMs < TELL_MS) return
    toldMs = nowMs
    const interval = recorder.latest(nowMs)
    if (interval) onProgress({ atMs: nowMs, interval })
  }
}

async function sleep(waitMs: number, { elapsed, pause, recorder }: LoadPorts): Promise<void> {
  const sleptAt = elapsed()
  await pause(waitMs)
  recorder.wake(Math.max(0, elapsed() - sleptAt - waitMs))
}

interface DueNotification {
  readonly given: Promise<LoadMessage | undefined>
  readonly dueMs: number
  readonly inTurn: ObjectTurns
  /** Returns the milliseconds since the start. */
  readonly now: () => number
}

async function deliver(
  { given, dueMs, inTurn, now }: DueNotification,
  { places, send, recorder, books }: LoadPorts,
): Promise<void> {
  const message = await given
  // A message that is ready only after the end of the load counts as unmade, not as unplaced.
  if (!message || places.isClosed()) return recorder.drop('unmade')
  const readyMs = now()
  await inTurn(`${message.type} ${message.id}`, async () => {
    if (!(await places.take())) {
      recorder.drop('unplaced')
      return books.note(message, false)
    }
    const sentMs = now()
    const answer = await send(message)
    const endedMs = now()
    places.giveBack(endedMs - sentMs)
    recorder.end({ dueMs, readyMs, sentMs, endedMs, answer })
    books.note(message, isAccepted(answer))
  })
}

/** The polling interval in milliseconds. The interval is short, because the program cannot exit while the timer is pending. */
const POLL_MS = 10

async function drain(
  inFlight: ReturnType<typeof createInFlight>,
  { elapsed, pause, supply, places, drainMs }: LoadPorts,
  onPoll: () => void,
): Promise<void> {
  const end = elapsed() + drainMs
  while (inFlight.count() > 0 && elapsed() < end) {
    await pause(POLL_MS)
    onPoll()
  }
  supply.close()
  places.close()
  await inFlight.all()
}

/**
 * A function that runs tasks for the same object one after the other. The service also sends notifications about one object one
 * after the other.
 */
type ObjectTurns = (object: string, work: () => Promise<void>) => Promise<void>

function createObjectTurns(): ObjectTurns {
  const last = new Map<string, Promise<void>>()
  return async (object, work) => {
    const before = last.get(object)
    const own = before ? before.then(work) : work()
    last.set(object, own)
    try {
      await own
    } finally {
      if (last.get(object) === own) last.delete(object)
    }
  }
}
