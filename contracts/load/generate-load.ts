import type { Books, LoadMessage } from './books.ts'
import type { ConnectionPlaces } from './connection-places.ts'
import type { LoadSender } from './load-sender.ts'
import { isAccepted, type Recorder } from './measurements.ts'
import type { Schedule } from './schedule.ts'
import type { Supply } from './supply.ts'
import type { Stopwatch } from '../probes/stopwatch.ts'

interface LoadPorts extends Stopwatch {
  readonly supply: Supply
  readonly send: LoadSender
  readonly places: ConnectionPlaces
  readonly recorder: Recorder
  readonly books: Pick<Books, 'note'>
  /** How long what waits at the end may still take; real milliseconds. */
  readonly drainMs: number
  /** When it aborts nothing more is sent; what is under way ends. */
  readonly stop?: AbortSignal | undefined
  /** Called when the first notification is about to be due. */
  readonly onStart?: () => void
}

/** So many leave without a look at what has been answered meanwhile. */
const MOST_AT_ONCE = 64
/** How long it waits without a look whether it is to stop. */
const LONGEST_NAP_MS = 200

/**
 * Sends each notification when it is due, whether those before it were answered or not. Resolves with what was never sent when
 * all else has ended. Rejects if one cannot be made.
 */
export async function generateLoad(schedule: Schedule, ports: LoadPorts): Promise<Unsent> {
  const { elapsed, supply, recorder } = ports
  await supply.fill()
  ports.onStart?.()
  const startedAt = elapsed()
  const delivery = { inTurn: createObjectTurns(), now: () => elapsed() - startedAt }
  const inFlight = createInFlight()
  const isStopped = () => ports.stop?.aborted === true
  let inARow = 0
  for (const dueMs of schedule.dueTimes()) {
    while (!isStopped() && dueMs - delivery.now() > LONGEST_NAP_MS) await sleep(LONGEST_NAP_MS, ports)
    const waitMs = dueMs - delivery.now()
    if (!isStopped() && (waitMs > 0 || ++inARow >= MOST_AT_ONCE)) {
      inARow = 0
      await sleep(Math.max(0, waitMs), ports)
    }
    if (isStopped()) break
    const given = supply.take()
    if (given === undefined) break
    if (given === null) continue
    recorder.offer(dueMs)
    inFlight.add(deliver({ given, dueMs, ...delivery }, ports))
    inFlight.refuseFailure()
  }
  return drain(inFlight.end(), ports)
}

/** Waits, and records how much later than asked it goes on. */
async function sleep(waitMs: number, { elapsed, pause, recorder }: LoadPorts): Promise<void> {
  const sleptAt = elapsed()
  await pause(waitMs)
  recorder.wake(Math.max(0, elapsed() - sleptAt - waitMs))
}

interface DueNotification {
  /** Ready, or still to be made; undefined where it is not made any more. */
  readonly given: LoadMessage | Promise<LoadMessage | undefined>
  readonly dueMs: number
  readonly inTurn: ObjectTurns
  /** Milliseconds since the start. */
  readonly now: () => number
}

/** Rejects if it could not be made. */
async function deliver(
  { given, dueMs, inTurn, now }: DueNotification,
  { places, send, recorder, books }: LoadPorts,
): Promise<Ending> {
  const message = await given
  // What is ready when all is over was not made in time: nobody kept it waiting.
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

/** How often it looks whether all have ended: a timer that runs longer would keep the program from ending. */
const POLL_MS = 10

/** What is not made by the end of that time, or has no connection, is not sent any more. */
async function drain(
  left: Promise<Unsent>,
  { elapsed, pause, supply, places, drainMs }: LoadPorts,
): Promise<Unsent> {
  const state = { isOver: false }
  const note = () => void (state.isOver = true)
  left.then(note, note)
  const end = elapsed() + drainMs
  while (!state.isOver && elapsed() < end) await pause(POLL_MS)
  supply.close()
  places.close()
  return left
}

/** Lets what is about one object go out one after the other, as the service does, so that its states come in order. */
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

/**
 * What became of a notification that was due: it was not made in time, it was ready and had to wait for the receiver or for a
 * connection until all was over, or it was sent.
 */
type Ending = 'unmade' | 'unplaced' | 'sent'

/** How many were never sent, and for want of what: the first are the sender's, whatever became of the others. */
export type Unsent = { readonly [Each in Exclude<Ending, 'sent'>]: number }

/** What is under way, of whatever count: nothing is kept of what has ended. */
interface InFlight {
  add(work: Promise<Ending>): void
  /** Throws why something failed, if anything did. */
  refuseFailure(): void
  /** Nothing is added any more. Resolves when all has ended, with what was not sent; rejects if anything failed. */
  end(): Promise<Unsent>
}

function createInFlight(): InFlight {
  const ended = Promise.withResolvers<Unsent>()
  const endings = { unmade: 0, unplaced: 0, sent: 0 }
  let [count, isLast] = [0, false]
  let failure: { readonly error: unknown } | undefined

  function finish(): void {
    if (!isLast || count > 0) return
    if (failure) ended.reject(failure.error)
    else ended.resolve({ unmade: endings.unmade, unplaced: endings.unplaced })
  }

  async function follow(work: Promise<Ending>): Promise<void> {
    try {
      endings[await work]++
    } catch (error) {
      failure ??= { error }
    }
    count--
    finish()
  }

  return {
    add(work) {
      count++
      void follow(work)
    },
    refuseFailure() {
      if (failure) throw failure.error
    },
    end() {
      isLast = true
      finish()
      return ended.promise
    },
  }
}
