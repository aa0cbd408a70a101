import { objectId } from '../../../spec/models.ts'
import { isNotifiedType } from '../../../spec/notifications.ts'
import { reply } from '../operations/operation.ts'
import type { ControlOperation } from './operation.ts'
import { paged } from './page.ts'
import { refuseUnknownOperation, refuseUnknownType } from './refuse-unknown.ts'

export const listRequests: ControlOperation<'listRequests'> = ({ query }, { requests, view }) => {
  const { object_type, object_id, operation } = query
  refuseUnknownType(object_type)
  refuseUnknownOperation(operation)
  const keptId = (type: string | null, id: string) => {
    const object = type !== null && isNotifiedType(type) ? view.object(type, id)?.body : undefined
    return object && type !== null && isNotifiedType(type) ? objectId(type, object) : id
  }
  const matching = requests().filter(
    (request) =>
      (object_type === undefined || request.object_type === object_type) &&
      (operation === undefined || request.operation === operation) &&
      (object_id === undefined ||
        (request.object_id !== null &&
          keptId(request.object_type, request.object_id) === keptId(request.object_type, object_id))),
  )
  const { page, ...rest } = paged(matching, query, ({ id }) => id)
  return reply(200, { requests: page.map((request) => ({ ...request })), ...rest })
}
