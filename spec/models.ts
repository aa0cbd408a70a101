import { MODELS } from './generated/models.ts'
import type { NotifiedType, ObjectByType } from './notifications.ts'

/** Returns all ids of an object. The store uses the first one. */
export function objectIds<Type extends NotifiedType>(
  type: Type,
  object: ObjectByType[Type],
): readonly string[] {
  return MODELS[type].ids.flatMap((field) => {
    const id: unknown = Reflect.get(object, field)
    return typeof id === 'string' || typeof id === 'number' ? [String(id)] : []
  })
}

export function objectId<Type extends NotifiedType>(type: Type, object: ObjectByType[Type]): string {
  const [id] = objectIds(type, object)
  if (id === undefined) throw new TypeError(`Cannot keep an object of ${type}: it has no id`)
  return id
}

/** Returns the visible state, null if the type shows none. */
export function objectState<Type extends NotifiedType>(
  type: Type,
  object: ObjectByType[Type],
): string | null {
  const field = MODELS[type].state
  const state: unknown = field === null ? null : Reflect.get(object, field)
  return typeof state === 'string' ? state : null
}
