import type { NotifiedType } from '../../spec/notifications.ts'

/** A notification as it is to be sent, and what the books are to say of its object. */
export interface LoadMessage {
  readonly type: NotifiedType
  /** The id that it names. */
  readonly id: string
  /** The exact bytes. */
  readonly body: string
  /** Whether the service says by now that the object has come to what a platform acts on. */
  readonly isActedOn: boolean
}
