import type { HttpResponse } from '../../../../sandbox/engine/core/http.ts'
import type { HttpMessage, Outcome } from '../../../../sandbox/engine/core/ports.ts'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import type { SimulatedTime, Successor } from './incarnation.ts'
import type { Cut } from './simulated-disk.ts'

/** All visible events of a run: on the platform, at the receivers and on the disk. */
export interface History {
  readonly posts: readonly Post[]
  readonly calls: readonly Call[]
  readonly crashes: readonly Crash[]
  readonly starts: readonly Start[]
  readonly listings: readonly Listing[]
  readonly badDisks: readonly number[]
  /** The ticks at which syncs failed. The transactions of a failed sync are written but not acknowledged. */
  readonly failedSyncs: readonly number[]
  readonly replacements: readonly Replacement[]
  readonly checkpoints: readonly number[]
  readonly errors: readonly string[]
}

export interface Post {
  readonly tick: number
  readonly at: number
  readonly url: string
  readonly body: string
  readonly headers: HttpMessage['headers']
  readonly incarnation: number
  /** The outcome of the POST. Undefined while the POST is in flight. After a crash, the outcome stays undefined. */
  outcome?: Outcome
  endTick?: number
}

export interface Call {
  readonly tick: number
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly incarnation: number
  readonly lengthBefore: number
  overlapped: boolean
  answer?: Answer
}

export interface Answer {
  readonly tick: number
  readonly status: HttpResponse['status']
  // oxlint-disable-next-line typescript/no-explicit-any -- an invariant looks at any field
  readonly body: any
  readonly length: number
  readonly now: number
}

export interface Crash {
  readonly tick: number
  readonly kind: 'closed' | 'killed' | 'power-lost'
  readonly incarnation: number
  readonly kept: number
}

export interface Replacement {
  readonly tick: number
  readonly successor: Successor
  readonly isInterrupted: boolean
  readonly isDone: boolean
}

export interface Start {
  readonly tick: number
  readonly incarnation: number
  readonly now: number
  readonly length: number
}

/** The rows that a list or a job record returned. */
export interface Listing {
  readonly tick: number
  readonly length: number
  readonly now: number
  readonly list: ListName
  readonly of: string
  // oxlint-disable-next-line typescript/no-explicit-any -- an invariant looks at any field
  readonly rows: readonly any[]
  /** True if all changes were written. Then the log must contain the same rows. */
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

export interface WrittenEntry extends Entry {
  readonly position: number
  readonly tick: number
}

export function withTicks(entries: readonly Entry[], ticks: readonly number[]): readonly WrittenEntry[] {
  return entries.map((entry, index) => ({ ...entry, position: index + 1, tick: ticks[index] ?? 0 }))
}

export function hasFailedSync(
  { failedSyncs }: Pick<History, 'failedSyncs'>,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  return failedSyncs.some((tick) => from < tick && tick < to)
}

/** Returns true if a later power loss or restore undid the listed changes. */
export function isLostLater(
  { tick, length }: Pick<Listing, 'tick' | 'length'>,
  { crashes }: Pick<History, 'crashes'>,
): boolean {
  return crashes.some((crash) => crash.tick > tick && crash.kept < length)
}

export function lastingListings(history: Pick<History, 'listings' | 'crashes'>): readonly Listing[] {
  return history.listings.filter((listing) => listing.isExact && !isLostLater(listing, history))
}

interface Event {
  readonly kind: 'answer' | 'disk'
  readonly run: () => void
}

export interface UnderWay {
  add(event: Event): void
  /** Runs events until the promise settles. Returns `crashed` if the process ends first. */
  drive(promise: Promise<unknown>): Promise<'settled' | 'crashed'>
  goOn(most: number): Promise<void>
  goOnWhile(isNeeded: () => boolean): Promise<void>
  flush(): Promise<void>
  clear(): void
}

export interface UnderWayPorts {
  readonly time: SimulatedTime
  readonly cut: Pick<Cut, 'isCut' | 'atEvent'>
  readonly choose: () => number
}

const MAX_EVENTS = 5_000

export const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

export function createUnderWay({ time, cut, choose }: UnderWayPorts): UnderWay {
  let events: Event[] = []

  /** Completes one event. If no event is pending, advances real time. */
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
      for (let count = 0; count < MAX_EVENTS; count++) {
        await turn()
        if (cut.isCut) return 'crashed'
        if (settled.yet) {
          await watched
          return 'settled'
        }
        if (cut.atEvent()) return 'crashed'
        if (!goOnOnce()) throw new Error('Nothing is under way that a call still waits for')
      }
      throw new Error(`A call did not end within ${MAX_EVENTS} events`)
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
      for (let count = 0; !cut.isCut && isNeeded() && count < MAX_EVENTS; count++) {
        await turn()
        // Sometimes advances real time first, because a sync can take longer than the interval between free-space checks.
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
