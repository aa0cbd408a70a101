import { MODELS } from './generated/models.ts'
import type { NotifiedType, ObjectByType } from './notifications.ts'

/** Returns all ids of an object. The store uses the first id. */
export function objectIds<Type extends NotifiedType>(
  type: Type,
  object: ObjectByType[Type],
): readonly string[] {
  const ids: string[] = []
  for (const field of MODELS[type].ids) {
    const id: unknown = Reflect.get(object, field)
    if (typeof id === 'string' || typeof id === 'number') ids.push(String(id))
  }
  return ids
}

export function objectId<Type extends NotifiedType>(type: Type, object: ObjectByType[Type]): string {
  const [id] = objectIds(type, object)
  if (id === undefined) throw new TypeError(`Cannot store an object of ${type}: the object has no id`)
  return id
}

/** Returns the state of an object. Null if the body of this type contains no state. */
export function objectState<Type extends NotifiedType>(
  type: Type,
  object: ObjectByType[Type],
): string | null {
  const field = MODELS[type].state
  const state: unknown = field === null ? null : Reflect.get(object, field)
  return typeof state === 'string' ? state : null
}
