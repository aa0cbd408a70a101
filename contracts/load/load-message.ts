import type { NotifiedType } from '../../spec/notifications.ts'
import type { ExpectedBooking } from '../toolkit/booked-effect.ts'

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
