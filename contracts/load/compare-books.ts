import type { BookEntry, Books } from './books.ts'
import type { Stopwatch } from '../probes/stopwatch.ts'
import { findBookingDifference, type BookingDifference } from '../toolkit/booked-effect.ts'
import { ProbeError, type EffectProbe, type EffectState } from '../toolkit/ports.ts'

/** An object whose effects differ from the service. */
export interface BookDifference {
  readonly entry: BookEntry
  readonly effects: number
  readonly difference: BookingDifference
}

/** The comparison of effects with the service. */
export type BookComparison =
  | { readonly kind: 'not-observable' }
  /** The load was ended early. */
  | { readonly kind: 'stopped' }
  /** The effects could not be read. */
  | { readonly kind: 'unread'; readonly why: string }
  | {
      readonly kind: 'compared'
      /** The numbers of objects and of compared ones. */
      readonly objects: number
      readonly compared: number
      readonly differences: readonly BookDifference[]
    }

export interface ComparisonPorts extends Stopwatch {
  /** Undefined if effects are not observable. */
  readonly probe: EffectProbe | undefined
  /** The wait after the last new effect, and the final window without effects. Milliseconds. */
  readonly settleMs: number
  readonly windowMs: number
  readonly mask: (text: string) => string
}

const POLL_MS = 200
/** The limit for a platform that never rests, as a multiple of the wait for an effect. */
const MOST_TIMES = 24

/** Waits while the platform makes progress, then once more for repeated effects. */
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
  // A rejected notification may have no effect.
  if (!entry.isKnown && effects === 0) return undefined
  const difference = findBookingDifference(entry.expected, seen)
  return difference && { entry, effects, difference }
}

function markOf(differences: readonly BookDifference[]): string {
  return differences.map(({ entry, effects }) => `${entry.id} ${effects}`).join()
}
