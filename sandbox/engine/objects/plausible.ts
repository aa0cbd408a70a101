import { EXAMPLES } from '../../../spec/generated/examples.ts'
import { objectIds } from '../../../spec/models.ts'
import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import { plausibleVirtualAccount } from './virtual-accounts.ts'

/** Fields of an object as a user gives them, still to be checked against the spec. */
export type Fields = Readonly<Record<string, unknown>>

/** What a new object gets from the sandbox. */
export interface Birth {
  readonly id: string
  /** For objects with an integer id beside. */
  readonly number: number
  /** Sandbox time, as a body prints it. */
  readonly now: string
  readonly newId: () => string
}

/**
 * A golden body of the kind that the fields ask for, as an object of its own: with a new id, its own paths and the present
 * time. Whom it is about is still as in the golden body.
 */
export function plausible<Type extends NotifiedType>(
  type: Type,
  fields: Fields,
  birth: Birth,
): ObjectByType[Type] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the golden bodies of a type hold objects of the type
  const golden = (
    type === 'virtual_accounts' ? plausibleVirtualAccount : goldenObject(type, fields)
  ) as ObjectByType[Type]
  const [first = ''] = objectIds(type, golden)
  const { id: integerId }: { readonly id?: unknown } = { ...golden }
  const text = JSON.stringify(golden).replaceAll(first, birth.id)
  const object: Record<string, unknown> = JSON.parse(
    typeof integerId === 'number' ? text.replaceAll(`/${integerId}`, `/${birth.number}`) : text,
  )
  if (typeof integerId === 'number') object['id'] = birth.number
  for (const field of ['created_at', 'updated_at']) if (field in object) object[field] = birth.now
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only ids and times differ from the golden body
  return object as unknown as ObjectByType[Type]
}

const KIND_FIELDS = ['type', 'type_method', 'state', 'account_type_id', 'verification_state'] as const

/** The first golden object that agrees with the fields that tell kinds apart. */
function goldenObject(type: NotifiedType, fields: Fields): object {
  const wanted = KIND_FIELDS.filter((field) => fields[field] !== undefined)
  const objects = EXAMPLES.flatMap((example) => {
    const object: unknown =
      example.type === type && !example.name.endsWith('-nulls') ? Reflect.get(example.body, type) : undefined
    return typeof object === 'object' && object !== null ? [object] : []
  })
  const agrees = (object: object, names: readonly string[]) =>
    names.every((field) => Reflect.get(object, field) === fields[field])
  // A field that no golden body agrees with is for the validator to refuse.
  const [found = objects[0]] = [
    ...objects.filter((object) => agrees(object, wanted)),
    ...objects.filter((object) =>
      agrees(
        object,
        wanted.filter((field) => field.startsWith('type')),
      ),
    ),
  ]
  if (!found) throw new Error(`Cannot make an object of ${type}: there is no golden body of it`)
  return found
}
