import type { BookEntry, Books } from './books.ts'
import type { Stopwatch } from '../probes/stopwatch.ts'
import { findBookingDifference, type BookingDifference } from '../toolkit/booked-effect.ts'
import { ProbeError, type EffectProbe, type EffectState } from '../toolkit/ports.ts'

/** An object of which your platform says otherwise than the service. */
export interface BookDifference {
  readonly entry: BookEntry
  /** How often your platform acted. */
  readonly effects: number
  readonly difference: BookingDifference
}

/** Your platform's effects beside what the service says. */
export type BookComparison =
  | { readonly kind: 'not-observable' }
  /** Somebody ended the load before. */
  | { readonly kind: 'stopped' }
  /** They could not be read. */
  | { readonly kind: 'unread'; readonly why: string }
  | {
      readonly kind: 'compared'
      /** How many objects there are, and how many were looked at. */
      readonly objects: number
      readonly compared: number
      readonly differences: readonly BookDifference[]
    }

export interface ComparisonPorts extends Stopwatch {
  /** Undefined where effects are not observable. */
  readonly probe: EffectProbe | undefined
  /** How long an effect may take to show after the last one that showed, and how long nothing more may come at the end. */
  readonly settleMs: number
  readonly windowMs: number
  readonly mask: (text: string) => string
}

/** How often it looks again. */
const POLL_MS = 200
/** A platform that never comes to rest is waited for so many times as long as an effect may take. */
const MOST_TIMES = 24

/** Waits as long as your platform gets on with what it was sent, and then once more for what comes too often. */
export async function compareBooks(
  books: Pick<Books, 'size' | 'sample'>,
  most: number,
  { probe, settleMs, windowMs, mask, elapsed, pause }: ComparisonPorts,
): Promise<BookComparison> {
  if (!probe) return { kind: 'not-observable' }
  const entries = books.sample(most)
  const look = async (at: readonly BookEntry[]): Promise<readonly BookDifference[]> => {
    const compared = await Promise.all(
      at.map(async (entry) => compare(entry, await probe(entry.type, entry.id))),
    )
    return compared.filter((difference) => difference !== undefined)
  }
  try {
    let open = await look(entries)
    const end = elapsed() + MOST_TIMES * settleMs
    let changedAt = elapsed()
    while (open.length > 0 && elapsed() - changedAt < settleMs && elapsed() < end) {
      await pause(POLL_MS)
      const now = await look(open.map(({ entry }) => entry))
      if (markOf(now) !== markOf(open)) changedAt = elapsed()
      open = now
    }
    await pause(windowMs)
    const differences = await look(entries)
    return { kind: 'compared', objects: books.size, compared: entries.length, differences }
  } catch (error) {
    if (error instanceof ProbeError) return { kind: 'unread', why: mask(error.message) }
    throw error
  }
}

function compare(entry: BookEntry, seen: EffectState): BookDifference | undefined {
  const { effects } = seen
  // What was not accepted may have no effect.
  if (!entry.isKnown && effects === 0) return undefined
  const difference = findBookingDifference(entry.expected, seen)
  return difference && { entry, effects, difference }
}

function markOf(differences: readonly BookDifference[]): string {
  return differences.map(({ entry, effects }) => `${entry.id} ${effects}`).join()
}
