import { objectState } from '../../spec/models.ts'
import { type NotifiedType, type ObjectByType } from '../../spec/notifications.ts'
import type { Translator } from '../../spec/vocabulary.ts'
import type { Message } from '../toolkit/check-context.ts'
import { notificationBody } from '../../sandbox/internal.ts'

/** Returns the notification of an object, with exactly the body that the service would send. */
export function messageFor(
  type: NotifiedType,
  object: object,
  translator: Pick<Translator, 'outward'>,
): Message {
  const known = asObjectOf(type, object)
  const state = objectState(type, known)
  return {
    type,
    // Converts the id to text, because some ids are numbers.
    id: String(Reflect.get(object, 'id')),
    state,
    label: state === null ? type : `${type} ${state}`,
    body: notificationBody(type, known, { translator }),
  }
}

/** Casts the object to its TypeScript type. The control API has already validated the object. */
export function asObjectOf<Type extends NotifiedType>(_: Type, object: object): ObjectByType[Type] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the control API has validated the object
  return object as ObjectByType[Type]
}
