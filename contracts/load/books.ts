import type { ExpectedBooking } from '../toolkit/booked-effect.ts'
import type { NotifiedType } from '../../spec/notifications.ts'

/** The expected state of a notified object. */
export interface BookEntry {
  readonly type: NotifiedType
  readonly id: string
  readonly expected: ExpectedBooking
  /** True if every notification about it was accepted. Rejected ones need no effect. */
  readonly isKnown: boolean
}

/** The expected state of all objects. */
export interface Books {
  readonly size: number
  note(message: Pick<LoadMessage, 'type' | 'id' | 'booking'>, wasAccepted: boolean): void
  /** Samples at most `most` objects over the whole time. At least half have an effect if possible. */
  sample(most: number): readonly BookEntry[]
}

interface Row {
  readonly type: NotifiedType
  readonly id: string
  expected: ExpectedBooking
  isKnown: boolean
}

const NOTHING: ExpectedBooking = { effects: 0 }

export function createBooks(): Books {
  const rows = new Map<string, Row>()
  return {
    get size() {
      return rows.size
    },
    note({ type, id, booking }, wasAccepted) {
      const key = `${type} ${id}`
      const row: Row = rows.get(key) ?? { type, id, expected: NOTHING, isKnown: true }
      if (booking) row.expected = booking
      row.isKnown &&= wasAccepted
      rows.set(key, row)
    },
    sample(most) {
      const all = [...rows.values()]
      const actedOn = all.filter(({ expected }) => expected.effects === 1)
      const others = all.filter(({ expected }) => expected.effects === 0)
      const chosen = pickEvenly(actedOn, Math.max(Math.ceil(most / 2), most - others.length))
      return [...chosen, ...pickEvenly(others, most - chosen.length)]
    },
  }
}

/** Picks items at even distances. */
function pickEvenly<Item>(items: readonly Item[], most: number): readonly Item[] {
  const place = (index: number) => Math.floor((index * most) / items.length)
  return items.length <= most ? items : items.filter((_, index) => place(index) !== place(index - 1))
}

/** A notification and its expected booking. */
export interface LoadMessage {
  readonly type: NotifiedType
  readonly id: string
  /** The exact bytes. */
  readonly body: string
  /** The booking due by now. Undefined before the object has its effect. */
  readonly booking: ExpectedBooking | undefined
}
