import type { TestMessage } from './generated/service-types.ts'

export type { NotificationByType, NotifiedType, ObjectByType } from './generated/notifications.ts'
export { isNotifiedType, kindOf, notifiedTypes } from './kinds.ts'

/** Returns the test message that the service posts to a URL before it accepts the registration. Source: §1. Reading: test-text */
export function testMessage(text: string): TestMessage {
  return { message: text }
}
