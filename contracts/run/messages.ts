import { objectState } from '../../spec/models.ts'
import { testMessage, type NotifiedType, type ObjectByType } from '../../spec/notifications.ts'
import type { Translator } from '../../spec/vocabulary.ts'
import type { CheckContext, Message } from '../toolkit/check-context.ts'
import { notificationBody } from '../../sandbox/internal.ts'

/** The id that a notification names, as it names it: a number too is asked for as text. */
export function notifiedId(object: object): string {
  return String(Reflect.get(object, 'id'))
}

/** The notification of an object as it is. */
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

/** The control API shows an object of the type that it was asked for: its replies are checked against the spec. */
export function asObjectOf<Type extends NotifiedType>(_: Type, object: object): ObjectByType[Type] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return object as ObjectByType[Type]
}

/** The body of the POST with which the service tries a URL. */
export function testBody({ profile }: Pick<CheckContext, 'profile'>): string {
  return JSON.stringify(testMessage(profile.readings['test-text']))
}
