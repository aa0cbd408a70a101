import { objectState } from '../../spec/models.ts'
import { type NotifiedType, type ObjectByType } from '../../spec/notifications.ts'
import type { Translator } from '../../spec/vocabulary.ts'
import type { Message } from '../toolkit/check-context.ts'
import { notificationBody } from '../../sandbox/internal.ts'

/** Returns the id of a notified object as a text. Some ids are numbers. */
export function notifiedId(object: object): string {
  return String(Reflect.get(object, 'id'))
}

export function messageFor<Type extends NotifiedType>(
  type: Type,
  object: ObjectByType[Type],
  translator: Pick<Translator, 'outward'>,
): Message {
  const state = objectState(type, object)
  return {
    type,
    id: notifiedId(object),
    state,
    label: state === null ? type : `${type} ${state}`,
    body: notificationBody(type, object, { translator }),
  }
}

/** Casts the object to its type. The control API has already validated it. */
export function asObjectOf<Type extends NotifiedType>(_: Type, object: object): ObjectByType[Type] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return object as ObjectByType[Type]
}
