import type { HttpResponse } from '../../../../sandbox/engine/core/http.ts'
import type { Message, Outcome } from '../../../../sandbox/engine/core/ports.ts'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import type { Successor } from './saved-world.ts'

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
