import { NOTIFICATIONS } from '../../spec/generated/notifications.ts'
import type { NotifiedType, ObjectByType } from '../../spec/notifications.ts'

/** The bytes of a notification: the object's Show response, wrapped under its type. Source: §2.3, §6.1 */
export function notificationBody<Type extends NotifiedType>(type: Type, object: ObjectByType[Type]): string {
  if (!NOTIFICATIONS[type].wrapped)
    throw new TypeError(`Cannot notify of ${type}: its short payload is not built yet`)
  return JSON.stringify({ [type]: object })
}
