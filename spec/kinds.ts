import { NOTIFICATIONS, type NotifiedType } from './generated/notifications.ts'
import { entriesOf, hasOwn } from './json-values.ts'

/** The properties that identify a member of a union: constants, and fields that are null. */
export interface KindSigns {
  readonly schema: string
  readonly constants: Readonly<Record<string, string>>
  readonly nulls: readonly string[]
}

export const notifiedTypes: readonly NotifiedType[] = Object.keys(NOTIFICATIONS).filter(
  // The type predicate is explicit, because TypeScript before 5.5 does not infer it.
  (name): name is NotifiedType => isNotifiedType(name),
)

export function isNotifiedType(type: string): type is NotifiedType {
  return hasOwn(NOTIFICATIONS, type)
}

/** Returns the name of the schema for the kind of an object. Undefined for a type without kinds, and for an unknown kind. */
export function kindOf(type: NotifiedType, object: unknown): string | undefined {
  if (typeof object !== 'object' || object === null) return undefined
  const kinds: readonly KindSigns[] = NOTIFICATIONS[type].kinds
  const fitting = kinds.filter(({ constants }) =>
    entriesOf(constants).every(([field, value]) => Reflect.get(object, field) === value),
  )
  const byNulls = fitting.find(
    ({ nulls }) => nulls.length > 0 && nulls.every((field) => Reflect.get(object, field) === null),
  )
  return (byNulls ?? fitting.find(({ nulls }) => nulls.length === 0))?.schema
}
