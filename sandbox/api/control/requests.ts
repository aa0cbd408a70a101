import type { RequestRecord } from '../../../spec/generated/control-types.ts'
import { OPERATIONS } from '../../../spec/generated/service-operations.ts'
import { isNotifiedType } from '../../../spec/notifications.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { correctSpelling } from '../../../spec/nearest.ts'
import type { View } from '../../engine/state/view.ts'
import { reply } from '../operations/operation.ts'
import { lookBack } from './look-back.ts'
import type { ControlOperation } from './operation.ts'
import { pageByCursor } from './cursor-pages.ts'
import { completeObjectId } from './short-ids.ts'
import { refuseUnknownType } from './jobs.ts'

export const listRequests: ControlOperation<'listRequests'> = lookBack(({ query }, { requests, view }) => {
  const { object_type, operation } = query
  refuseUnknownType(object_type)
  refuseUnknownOperation(operation)
  const keptId = (type: string | null, id: string) => {
    const kept = type !== null && isNotifiedType(type) ? view.keptId(type, id) : undefined
    return kept ?? id
  }
  const object_id =
    query.object_id === undefined
      ? undefined
      : completeObjectId(query.object_id, view, { field: 'object_id' })
  const matching = requests().filter(
    (request) =>
      (object_type === undefined || request.object_type === object_type) &&
      (operation === undefined || request.operation === operation) &&
      (object_id === undefined ||
        (request.object_id !== null &&
          keptId(request.object_type, request.object_id) === keptId(request.object_type, object_id))),
  )
  const { page, ...rest } = pageByCursor(matching, query, ({ id }) => id)
  return reply(200, { requests: page.map((request) => withKeptId(request, view)), ...rest })
})

/** With the id that jobs have for the object: a receiver may ask by another one. */
export function withKeptId(request: RequestRecord, view: Pick<View, 'keptId'>): RequestRecord {
  const { object_type: type, object_id: id } = request
  const kept = type !== null && id !== null && isNotifiedType(type) ? view.keptId(type, id) : undefined
  return { ...request, kept_id: kept ?? null }
}

/** As for a misspelt type. */
function refuseUnknownOperation(operation: string | undefined): void {
  if (operation === undefined || Object.hasOwn(OPERATIONS, operation)) return
  const meant = correctSpelling(operation, Object.keys(OPERATIONS))
  throw new ApiError('invalid', {
    field: 'operation',
    message: `Cannot list calls of "${operation}": the service has no such operation`,
    ...(meant !== undefined && { hint: `did you mean "${meant}"?` }),
  })
}
