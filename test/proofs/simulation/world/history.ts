import type { HttpResponse } from '../../../../sandbox/engine/core/http.ts'
import type { Message, Outcome } from '../../../../sandbox/engine/core/ports.ts'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import type { SimulatedTime, Successor } from './incarnation.ts'
import type { Cut } from './simulated-disk.ts'

/** Everything that could be seen of a simulated run from outside: by its platform, by its receivers and on its disk. */
export interface History {
  readonly posts: readonly Post[]
  readonly calls: readonly Call[]
  readonly crashes: readonly Crash[]
  readonly starts: readonly Start[]
  readonly listings: readonly Listing[]
  /** The ticks from which on the disk failed. */
  readonly badDisks: readonly number[]
  /** The ticks at which a sync failed: what it covered is written, and no caller had that acknowledged. */
  readonly failedSyncs: readonly number[]
  /** Each restore and reset that was begun. */
  readonly replacements: readonly Replacement[]
  /** The ticks at which the disk moved everything out of the write-ahead log. */
  readonly checkpoints: readonly number[]
  /** What the sandbox reported that should not happen. */
  readonly errors: readonly string[]
}

/** A POST at a receiver. */
export interface Post {
  /** The place among all that happened; the same count goes through calls, writes and crashes. */
  readonly tick: number
  /** Sandbox time. */
  readonly at: number
  readonly url: string
  readonly body: string
  readonly headers: Message['headers']
  readonly incarnation: number
  /** Undefined while it is under way, and for ever if a crash cut it off. */
  outcome?: Outcome
  endTick?: number
}

/** A call of the platform or of the bench. */
export interface Call {
  readonly tick: number
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly incarnation: number
  /** How long the log was. */
  readonly lengthBefore: number
  /** Whether another call was under way at some time meanwhile. */
  overlapped: boolean
  answer?: Answer
}

export interface Answer {
  readonly tick: number
  readonly status: HttpResponse['status']
  // oxlint-disable-next-line typescript/no-explicit-any -- an invariant looks at any field
  readonly body: any
  /** How long the log was, and what the clock showed. */
  readonly length: number
  readonly now: number
}

/** The end of an incarnation, and what outlived it. */
export interface Crash {
  readonly tick: number
  readonly kind: 'closed' | 'killed' | 'power-lost'
  readonly incarnation: number
  /** How many entries outlived it, and how many had been written. */
  readonly kept: number
  readonly written: number
}

/** A restore or reset that has ended. */
export interface Replacement {
  readonly tick: number
  readonly successor: Successor
  readonly isInterrupted: boolean
  /** Whether the successor has taken the place of the world. */
  readonly isDone: boolean
}

export interface Start {
  readonly tick: number
  readonly incarnation: number
  readonly now: number
  readonly length: number
}

/** What a list, or the record of a job, said at a moment when nothing waited to be written. */
export interface Listing {
  readonly tick: number
  readonly length: number
  readonly now: number
  readonly realNow: number
  readonly list: ListName
  readonly of: string
  // oxlint-disable-next-line typescript/no-explicit-any -- an invariant looks at any field
  readonly rows: readonly any[]
  /** Whether nothing waited to be written meanwhile: then that much of the log says what the list should have said. */
  readonly isExact: boolean
}

export type ListName =
  | 'failed-jobs'
  | 'jobs'
  | 'job'
  | 'callback-responses'
  | 'webhooks'
  | 'callbacks'
  | 'shown'
  | 'control-failed'

/** An entry of the log, with when it was written. */
export interface WrittenEntry extends Entry {
  readonly position: number
  readonly tick: number
}

/** Whether a wait for the disk failed between these. */
export function hasFailedSync(
  { failedSyncs }: Pick<History, 'failedSyncs'>,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  return failedSyncs.some((tick) => from < tick && tick < to)
}

/** Whether what this much of the log said then was lost with the power later: the log of the end cannot be held against it. */
export function isLostLater(
  { tick, length }: Pick<Listing, 'tick' | 'length'>,
  { crashes }: Pick<History, 'crashes'>,
): boolean {
  return crashes.some((crash) => crash.tick > tick && crash.kept < length)
}

/** The lists that the log of the end can be held against: none of what they rest on was lost with the power. */
export function lastingListings(history: Pick<History, 'listings' | 'crashes'>): readonly Listing[] {
  return history.listings.filter((listing) => listing.isExact && !isLostLater(listing, history))
}

/** Something under way outside the process: an answer, or the disk. */
interface Event {
  readonly kind: 'answer' | 'disk'
  readonly run: () => void
}

/** What is under way outside the process, and in which order it goes on. */
export interface UnderWay {
  add(event: Event): void
  /** Lets everything go on until the promise is settled. `crashed` if the process ended before. */
  drive(promise: Promise<unknown>): Promise<'settled' | 'crashed'>
  /** Lets at most so many things that are under way go on. */
  goOn(most: number): Promise<void>
  /** Lets time, and what is under way, go on while it is needed and the process is not cut off. */
  goOnWhile(isNeeded: () => boolean): Promise<void>
  /** Lets the disk keep all that was written. */
  flush(): Promise<void>
  /** Forgets everything: the process has ended. */
  clear(): void
}

export interface UnderWayPorts {
  readonly time: SimulatedTime
  readonly cut: Pick<Cut, 'isCut' | 'atEvent'>
  readonly choose: () => number
}

/** Far more than any command sets off. */
const MOST_EVENTS = 5_000

/** Lets everything run that is ready. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

export function createUnderWay({ time, cut, choose }: UnderWayPorts): UnderWay {
  let events: Event[] = []

  /** Lets one thing go on that is under way; if none is, real time goes on. */
  function goOnOnce(): boolean {
    const [event] = events.splice(Math.floor(choose() * events.length), 1)
    if (!event) return time.goOn()
    event.run()
    return true
  }

  return {
    add: (event) => void events.push(event),
    async drive(promise) {
      const settled = { yet: false }
      const watched = promise.finally(() => (settled.yet = true))
      watched.catch(() => {})
      for (let count = 0; count < MOST_EVENTS; count++) {
        await turn()
        if (cut.isCut) return 'crashed'
        if (settled.yet) {
          await watched
          return 'settled'
        }
        if (cut.atEvent()) return 'crashed'
        if (!goOnOnce()) throw new Error('Nothing is under way that a call still waits for')
      }
      throw new Error(`A call did not end within ${MOST_EVENTS} events`)
    },
    async goOn(most) {
      for (let count = 0; count < most; count++) {
        await turn()
        if (cut.isCut || events.length === 0) return
        goOnOnce()
      }
      await turn()
    },
    async goOnWhile(isNeeded) {
      for (let count = 0; !cut.isCut && isNeeded() && count < MOST_EVENTS; count++) {
        await turn()
        // A sync can take longer than the time until the next test for room.
        if (choose() < 0.5 || !time.goOn()) goOnOnce()
      }
    },
    async flush() {
      for (await turn(); events.some(({ kind }) => kind === 'disk'); await turn())
        for (const event of events.splice(0)) {
          if (event.kind === 'disk') event.run()
          else events.push(event)
        }
    },
    clear() {
      events = []
    },
  }
}
