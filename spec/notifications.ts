import type { TestMessage } from './generated/service-types.ts'
import type { KindSigns } from './kinds.ts'

export type { NotificationByType, NotifiedType, ObjectByType } from './generated/notifications.ts'
export { isNotifiedType, kindOf, notifiedTypes } from './kinds.ts'

/** What is known of one notified type. */
export interface NotificationRow {
  /** The schema of the whole body, and of the object in it or behind it. */
  readonly schema: string
  readonly object: string
  /** Whether the object stands under its type; a flat body only names it. Source: §2.3, §6.3 */
  readonly wrapped: boolean
  /** What a flat body says of itself; nothing if it is wrapped. Source: §6.3 */
  readonly constants: Readonly<Record<string, string>>
  /** The operation that shows the object. */
  readonly show: string
  readonly summary: string
  readonly trigger: string
  readonly source: string
  /** The kinds of a union, each told by constants and by fields that are null in it; none if the object is of one kind. */
  readonly kinds: readonly KindRow[]
}

export interface KindRow extends KindSigns {
  readonly states: readonly string[]
}

/** What is posted to a URL before it is registered. Source: §1. Reading: test-text */
export function testMessage(text: string): TestMessage {
  return { message: text }
}
