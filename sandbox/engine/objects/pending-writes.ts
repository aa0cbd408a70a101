import { objectId } from '../../../spec/models.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import type { EngineContext } from './draws.ts'
import { isObjectWrite, type ObjectWrite } from '../state/entries.ts'

export function withPendingWrites<Context extends EngineContext>(
  context: Context,
  writes: readonly ObjectWrite[],
): Context {
  const { view } = context
  return {
    ...context,
    view: {
      ...view,
      object<Type extends NotifiedType>(type: Type, id: string) {
        const pending = writes
          .filter((write) => isObjectWrite(write, type))
          .findLast(({ object }) => objectId(type, object) === id)
        return pending ? { revision: 1, body: pending.object } : view.object(type, id)
      },
      accountOwner(uuid) {
        const pending = writes
          .filter((write) => isObjectWrite(write, 'accounts'))
          .findLast(({ object, owner }) => owner !== undefined && object.uuid === uuid)
        return pending?.owner ?? view.accountOwner(uuid)
      },
    },
  }
}
