import type { ExpectedBooking } from '../toolkit/booked-effect.ts'
import type { NotifiedType } from '../../spec/notifications.ts'

/** What the service says of an object that your receiver was notified of. */
export interface BookEntry {
  readonly type: NotifiedType
  readonly id: string
  /** What a platform does about it. */
  readonly expected: ExpectedBooking
  /** Whether your receiver accepted all that was sent about it: what it did not accept it need not act on. */
  readonly isKnown: boolean
}

/** What every object comes to, by what was sent. */
export interface Books {
  readonly size: number
  /** Keeps what a notification says, and whether it was accepted. */
  note(message: Pick<LoadMessage, 'type' | 'id' | 'booking'>, wasAccepted: boolean): void
  /** So many of them at the most, from the whole time; those that are acted on take at least half of the room. */
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

/** So many of a list, at even distances. */
function pickEvenly<Item>(items: readonly Item[], most: number): readonly Item[] {
  const place = (index: number) => Math.floor((index * most) / items.length)
  return items.length <= most ? items : items.filter((_, index) => place(index) !== place(index - 1))
}

/** A notification as it is to be sent, and what the books are to say of its object. */
export interface LoadMessage {
  readonly type: NotifiedType
  /** The id that it names. */
  readonly id: string
  /** The exact bytes. */
  readonly body: string
  /** What a platform books by now; undefined while the object has not come to what it acts on. */
  readonly booking: ExpectedBooking | undefined
}
