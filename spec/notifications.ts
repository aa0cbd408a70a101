import { NOTIFICATIONS, type NotifiedType } from './generated/notifications.ts'
import type { Item, TestMessage } from './generated/service-types.ts'

export type { NotifiedType } from './generated/notifications.ts'

/** The object of each notified type, as its Show response holds it. */
export interface ObjectByType {
  readonly items: Item
}

/** The types that the sandbox can create, change and notify about. */
export const notifiedTypes = Object.keys(NOTIFICATIONS).filter((name) => isNotifiedType(name))

export function isNotifiedType(type: string): type is NotifiedType {
  return Object.hasOwn(NOTIFICATIONS, type)
}

/** What is posted to a URL before it is registered. Source: §1. Reading: test-text */
export function testMessage(text: string): TestMessage {
  return { message: text }
}
