import { deliveredTypes } from '../../../spec/delivery.ts'
import { OPERATIONS } from '../../../spec/generated/service-operations.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { nearest } from '../../engine/core/nearest.ts'

/** A misspelt type has nothing to list, and would look like a sandbox that does nothing. */
export function refuseUnknownType(type: string | undefined): void {
  if (type === undefined || deliveredTypes.includes(type)) return
  throw new ApiError('invalid', {
    field: 'object_type',
    message: `Cannot list object type "${type}": the object types are ${deliveredTypes.join(', ')}`,
  })
}

/** The same for an operation of the service. */
export function refuseUnknownOperation(operation: string | undefined): void {
  if (operation === undefined || Object.hasOwn(OPERATIONS, operation)) return
  const meant = nearest(operation, Object.keys(OPERATIONS))
  throw new ApiError('invalid', {
    field: 'operation',
    message: `Cannot list calls of "${operation}": the service has no such operation`,
    ...(meant !== undefined && { hint: `the nearest is "${meant}"` }),
  })
}
