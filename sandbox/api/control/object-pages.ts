import type { ObjectSummary } from '../../../spec/generated/control-types.ts'
import { objectState } from '../../../spec/models.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import { readIfWhole } from '../../engine/state/storage-error.ts'
import type { View } from '../../engine/state/view.ts'
import { reply } from '../operations/operation.ts'
import { parseCursor } from './cursor-pages.ts'
import { lookBack } from './look-back.ts'
import { parseObjectType } from './objects.ts'
import type { ControlOperation } from './operation.ts'

/** The state of an object is in its body, so a page reads a limited number of bodies, and no call takes long. */
export const listObjects: ControlOperation<'listObjects'> = lookBack(({ path, query }, { view }) => {
  const type = parseObjectType(path.type)
  const { limit, before, id, state } = query
  const beginning = id === undefined ? undefined : [...view.objectIdsBeginning(type, id)]
  const total = beginning?.length ?? view.objectCount(type)
  const end = before === undefined ? total : Math.min(total, parseCursor(before, 'before'))
  const older = Math.max(0, end - limit)
  const ids = beginning?.slice(older, end) ?? view.objectIdsBetween(type, older, end)
  const objects = ids
    .flatMap((each) => summarize(type, each, view))
    .filter((object) => state === undefined || object.state === state)
  return reply(200, { objects, older, before: older === 0 ? null : String(older) })
})

/** None for an object that is damaged: the others are listed all the same. */
function summarize(type: NotifiedType, id: string, view: View): readonly ObjectSummary[] {
  const object = readIfWhole(() => view.object(type, id))
  if (!object) return []
  const { revision, body } = object
  return [{ object_type: type, id, revision, state: objectState(type, body) }]
}
