import { NOTIFICATIONS, type NotifiedType } from './generated/notifications.ts'
import type { TestMessage } from './generated/service-types.ts'

export type { NotificationByType, NotifiedType, ObjectByType } from './generated/notifications.ts'

/** What is known of one notified type. */
export interface NotificationRow {
  /** The schema of the whole body, and of the object in it or behind it. */
  readonly schema: string
  readonly object: string
  /** Whether the object stands under its type; a flat body only names it. Source: §2.3, §6.3 */
  readonly wrapped: boolean
  /** The operation that shows the object. */
  readonly show: string
  readonly summary: string
  readonly trigger: string
  readonly source: string
  /** The kinds of a union, each told by constants and by fields that are null in it; none if the object is of one kind. */
  readonly kinds: readonly KindRow[]
}

export interface KindRow {
  readonly schema: string
  readonly constants: Readonly<Record<string, string>>
  readonly nulls: readonly string[]
  readonly states: readonly string[]
}

/** Every notified type, in the order of the document. */
export const notifiedTypes: readonly NotifiedType[] = Object.keys(NOTIFICATIONS).filter((name) =>
  isNotifiedType(name),
)

export function isNotifiedType(type: string): type is NotifiedType {
  return Object.hasOwn(NOTIFICATIONS, type)
}

/** The schema of the kind that an object says it is; undefined if its type has no kinds or it is of none that is known. */
export function kindOf(type: NotifiedType, object: unknown): string | undefined {
  if (typeof object !== 'object' || object === null) return undefined
  const kinds: readonly KindRow[] = NOTIFICATIONS[type].kinds
  const fitting = kinds.filter(({ constants }) =>
    Object.entries(constants).every(([field, value]) => Reflect.get(object, field) === value),
  )
  const byNulls = fitting.find(
    ({ nulls }) => nulls.length > 0 && nulls.every((field) => Reflect.get(object, field) === null),
  )
  return (byNulls ?? fitting.find(({ nulls }) => nulls.length === 0))?.schema
}

/** What is posted to a URL before it is registered. Source: §1. Reading: test-text */
export function testMessage(text: string): TestMessage {
  return { message: text }
}
