import { MODELS } from './generated/models.ts'
import type { NotifiedType, ObjectByType } from './notifications.ts'

/** Every id that an object is asked for by, the one that a store keeps it by first. */
export function objectIds<Type extends NotifiedType>(
  type: Type,
  object: ObjectByType[Type],
): readonly string[] {
  return MODELS[type].ids.flatMap((field) => {
    const id: unknown = Reflect.get(object, field)
    return typeof id === 'string' || typeof id === 'number' ? [String(id)] : []
  })
}

/** The id that a store keeps an object by. */
export function objectId<Type extends NotifiedType>(type: Type, object: ObjectByType[Type]): string {
  const [id] = objectIds(type, object)
  if (id === undefined) throw new TypeError(`Cannot keep an object of ${type}: it has no id`)
  return id
}

/** The state that an object shows; null if its type shows none. */
export function objectState<Type extends NotifiedType>(
  type: Type,
  object: ObjectByType[Type],
): string | null {
  const field = MODELS[type].state
  const state: unknown = field === null ? null : Reflect.get(object, field)
  return typeof state === 'string' ? state : null
}
