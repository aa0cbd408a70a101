import { NOTIFICATIONS, type NotifiedType } from './generated/notifications.ts'
import { entriesOf, hasOwn } from './json-values.ts'

/** How one kind of a union is told: by constants, and by fields that are null in it. */
export interface KindSigns {
  readonly schema: string
  readonly constants: Readonly<Record<string, string>>
  readonly nulls: readonly string[]
}

/** Every notified type, in the order of the document. */
export const notifiedTypes: readonly NotifiedType[] = Object.keys(NOTIFICATIONS).filter(
  // Said, since compilers before TypeScript 5.5 do not infer it.
  (name): name is NotifiedType => isNotifiedType(name),
)

export function isNotifiedType(type: string): type is NotifiedType {
  return hasOwn(NOTIFICATIONS, type)
}

/** The schema of the kind that an object says it is; undefined if its type has no kinds or it is of none that is known. */
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
