import type { Stopwatch } from '../probes/stopwatch.ts'
import type { Shared } from '../run/shared-state.ts'
import {
  findBookingDifference,
  type BookingDifference,
  type ExpectedBooking,
} from '../toolkit/booked-effect.ts'
import type { Message } from '../toolkit/check-context.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { ProbeError, type EffectState } from '../toolkit/ports.ts'
import type { NotifiedType } from '../../spec/notifications.ts'

export interface BookDifference {
  readonly entry: BookEntry
  readonly effects: number
  readonly difference: BookingDifference
}

export type BookComparison =
  | { readonly kind: 'not-observable' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'unread'; readonly why: string }
  | {
      readonly kind: 'compared'
      readonly objects: number
      readonly compared: number
      readonly differences: readonly BookDifference[]
    }

/** `settleMs` is the time to wait after the last new effect. `windowMs` is the additional time to wait for repeated effects. */
export type ComparisonPorts = Stopwatch &
  Pick<Shared, 'probe' | 'mask'> &
  Pick<RunOptions, 'settleMs' | 'windowMs'>

const POLL_MS = 200
/** The time limit for a platform whose effects never stop changing, as a multiple of `settleMs`. */
const MAX_TIMES = 24

/** Waits until the effects stop changing, and then `windowMs` for repeated effects. Then compares the effects with the payments. */
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
    const end = elapsed() + MAX_TIMES * settleMs
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
  // A rejected notification need not have an effect.
  if (!entry.isKnown && effects === 0) return undefined
  const difference = findBookingDifference(entry.expected, seen)
  return difference && { entry, effects, difference }
}

function markOf(differences: readonly BookDifference[]): string {
  return differences.map(({ entry, effects }) => `${entry.id} ${effects}`).join()
}

/** A notified object, with the effect that the service expects. */
export interface BookEntry {
  readonly type: NotifiedType
  readonly id: string
  readonly expected: ExpectedBooking
  /** True if every notification about the object was accepted. */
  readonly isKnown: boolean
}

type Row = { -readonly [Key in keyof BookEntry]: BookEntry[Key] }

const NOTHING: ExpectedBooking = { effects: 0 }

export function createBooks() {
  const rows = new Map<string, Row>()
  return {
    get size() {
      return rows.size
    },
    note({ type, id, booking }: Pick<LoadMessage, 'type' | 'id' | 'booking'>, wasAccepted: boolean) {
      const key = `${type} ${id}`
      const row: Row = rows.get(key) ?? { type, id, expected: NOTHING, isKnown: true }
      if (booking) row.expected = booking
      row.isKnown &&= wasAccepted
      rows.set(key, row)
    },
    /** Returns at most `most` objects, spread over the load's duration. If possible, at least half have an effect. */
    sample(most: number): readonly BookEntry[] {
      const all = [...rows.values()]
      const actedOn = all.filter(({ expected }) => expected.effects === 1)
      const others = all.filter(({ expected }) => expected.effects === 0)
      const chosen = pickEvenly(actedOn, Math.max(Math.ceil(most / 2), most - others.length))
      return [...chosen, ...pickEvenly(others, most - chosen.length)]
    },
  }
}

export type Books = ReturnType<typeof createBooks>

function pickEvenly<Item>(items: readonly Item[], most: number): readonly Item[] {
  const place = (index: number) => Math.floor((index * most) / items.length)
  return items.length <= most ? items : items.filter((_, index) => place(index) !== place(index - 1))
}

export interface LoadMessage extends Pick<Message, 'type' | 'id' | 'body'> {
  readonly booking: ExpectedBooking | undefined
}
