import type { Books, LoadMessage } from './books.ts'
import type { ConnectionPlaces } from './connection-places.ts'
import type { LoadSender } from './load-sender.ts'
import { isAccepted, type Recorder } from './measurements.ts'
import type { Schedule } from './schedule.ts'
import type { Supply } from './supply.ts'
import type { Stopwatch } from '../probes/stopwatch.ts'
import { createInFlight } from '../toolkit/in-flight.ts'

interface LoadPorts extends Stopwatch {
  readonly supply: Supply
  readonly send: LoadSender
  readonly places: ConnectionPlaces
  readonly recorder: Recorder
  readonly books: Pick<Books, 'note'>
  /** The time that waiting notifications get at the end of the load, in real milliseconds. */
  readonly drainMs: number
  /** Stops the load. Notifications in flight are completed. */
  readonly stop?: AbortSignal | undefined
  /** Called before the first notification is due. */
  readonly onStart?: () => void
}

/** The number of notifications after which the loop yields, so that answers can be processed. */
const MAX_AT_ONCE = 64
/** The longest sleep. After each sleep, the loop checks whether it must stop. */
const LONGEST_NAP_MS = 200

/**
 * Sends each notification when it is due, independent of earlier answers. Resolves after the last delivery
 * has ended. Rejects if a notification cannot be made.
 */
export async function generateLoad(schedule: Schedule, ports: LoadPorts): Promise<Unsent> {
  const { elapsed, supply, recorder } = ports
  await supply.fill()
  ports.onStart?.()
  const startedAt = elapsed()
  const delivery = { inTurn: createObjectTurns(), now: () => elapsed() - startedAt }
  const inFlight = createInFlight()
  const endings: Record<Ending, number> = { unmade: 0, unplaced: 0, sent: 0 }
  const isStopped = () => ports.stop?.aborted === true
  let inARow = 0
  for (const dueMs of schedule.dueTimes()) {
    while (!isStopped() && dueMs - delivery.now() > LONGEST_NAP_MS) await sleep(LONGEST_NAP_MS, ports)
    const waitMs = dueMs - delivery.now()
    if (!isStopped() && (waitMs > 0 || ++inARow >= MAX_AT_ONCE)) {
      inARow = 0
      await sleep(Math.max(0, waitMs), ports)
    }
    if (isStopped()) break
    const given = supply.take()
    if (given === undefined) break
    if (given === null) continue
    recorder.offer(dueMs)
    inFlight.add(deliver({ given, dueMs, ...delivery }, ports).then((ending) => endings[ending]++))
    inFlight.requireSuccess()
  }
  await drain(inFlight, ports)
  return { unmade: endings.unmade, unplaced: endings.unplaced }
}

/** Sleeps, and records the delay of the wake-up. */
async function sleep(waitMs: number, { elapsed, pause, recorder }: LoadPorts): Promise<void> {
  const sleptAt = elapsed()
  await pause(waitMs)
  recorder.wake(Math.max(0, elapsed() - sleptAt - waitMs))
}

interface DueNotification {
  /** A promise that resolves with the message. The promise resolves with undefined if the notification is dropped. */
  readonly given: Promise<LoadMessage | undefined>
  readonly dueMs: number
  readonly inTurn: ObjectTurns
  /** Returns the milliseconds since the start. */
  readonly now: () => number
}

/** Sends a notification once it is made. Rejects if the notification could not be made. */
async function deliver(
  { given, dueMs, inTurn, now }: DueNotification,
  { places, send, recorder, books }: LoadPorts,
): Promise<Ending> {
  const message = await given
  // A message that becomes ready after the end of the load does not count as a wait for a connection.
  if (!message || places.isClosed()) return 'unmade'
  const readyMs = now()
  let wasSent = false
  await inTurn(`${message.type} ${message.id}`, async () => {
    wasSent = await places.take()
    if (!wasSent) return books.note(message, false)
    const sentMs = now()
    const answer = await send(message)
    const endedMs = now()
    places.giveBack(endedMs - sentMs)
    recorder.end({ dueMs, readyMs, sentMs, endedMs, answer })
    books.note(message, isAccepted(answer))
  })
  return wasSent ? 'sent' : 'unplaced'
}

/** The polling interval. The program cannot end before the timer has fired, so the interval is short. */
const POLL_MS = 10

/** Waits for the deliveries in flight. Messages that get no connection in time are dropped. */
async function drain(
  inFlight: ReturnType<typeof createInFlight>,
  { elapsed, pause, supply, places, drainMs }: LoadPorts,
): Promise<void> {
  const end = elapsed() + drainMs
  while (inFlight.count() > 0 && elapsed() < end) await pause(POLL_MS)
  supply.close()
  places.close()
  await inFlight.all()
}

/** A function that runs the work for one object in turn. The service also sends the notifications of an object one after the other. */
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

/** The result of a due notification: not created in time, created without a free connection, or sent. */
type Ending = 'unmade' | 'unplaced' | 'sent'

/** The numbers of notifications that were not ready in time (`unmade`) or got no connection (`unplaced`). */
export type Unsent = { readonly [Each in Exclude<Ending, 'sent'>]: number }
