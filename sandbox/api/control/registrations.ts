import type { RegistrationRecord, RegistrationRequest } from '../../../spec/generated/control-types.ts'
import { DELIVERY } from '../../../spec/generated/delivery.ts'
import { callbackTypes } from '../../../spec/delivery.ts'
import { didYouMean } from '../../../spec/nearest.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import type { View } from '../../engine/state/view.ts'
import { timestamp } from '../../engine/core/timestamp.ts'
import type { CallbackRegistration, Registration, WebhookRegistration } from '../../engine/state/entries.ts'
import { reply } from '../operations/operation.ts'
import { checkReceiverUrl, createRegistration, updateRegistration } from '../operations/registrations.ts'
import { readPastOrPresent } from './look-back.ts'
import type { ControlContext, ControlOperation } from './operation.ts'
import { completeId, searchIds } from './short-ids.ts'

export const listRegistrations: ControlOperation<'listRegistrations'> = readPastOrPresent((_, { view }) =>
  reply(200, { registrations: listAll(view).map(toRegistrationRecord) }),
)

export function listAll(view: View): readonly Registration[] {
  return [...view.registrations('webhooks'), ...view.registrations('callbacks')]
}

/** Returns the registration with this id or short id. Throws ApiError `not-found`. */
export function findRegistration(given: string, view: View, field = 'id'): Registration {
  const registration = view.registration(completeId(given, searchIds(listAll(view)), field))
  if (registration) return registration
  const message = `Cannot find registration "${given}"`
  throw new ApiError('not-found', { field, message, hint: 'list them', command: 'registrations' })
}

/** Adds a registration, with the same rules as in the service API. Source: §1, §4, §8 */
export const addRegistration: ControlOperation<'addRegistration'> = ({ body }, context) => {
  const url = checkReceiverUrl(body.url, context)
  const wanted = { ...parseSubject(body, context), url, enabled: true, description: null }
  const toReply = (registration: Registration, test_status: number) => ({
    registration: toRegistrationRecord(registration),
    test_status,
  })
  return createRegistration(wanted, toReply, context)
}

export const changeRegistration: ControlOperation<'changeRegistration'> = ({ path, body }, context) => {
  const { id } = findRegistration(path.id, context.view)
  const find = () => findRegistration(id, context.view)
  const change = (registration: Registration): Registration => ({ ...registration, enabled: body.enabled })
  return updateRegistration({ find, change, toReply: toRegistrationRecord }, context)
}

type Subject =
  | Pick<WebhookRegistration, 'generation' | 'object_type'>
  | Pick<CallbackRegistration, 'generation' | 'object_type'>

/** Checks that the API generation supports this object type. Source: §2.2. Reading: callback-list */
function parseSubject(
  { generation, object_type }: RegistrationRequest,
  { readings }: ControlContext,
): Subject {
  const called = callbackTypes(readings()['callback-list'])
  const notified = DELIVERY.object_types.webhooks.value
  if (generation === 'webhooks') {
    const type = notified.find((each) => each === object_type)
    if (type) return { generation, object_type: type }
  } else {
    const type = called.find((each) => each === object_type)
    if (type) return { generation, object_type: type }
  }
  const types = generation === 'webhooks' ? notified : called
  const message = `Cannot register ${generation} for "${object_type}": the types are ${types.join(', ')}${didYouMean(object_type, types)}`
  throw new ApiError('invalid', { code: 'unsupported_object_type', field: 'object_type', message })
}

function toRegistrationRecord(registration: Registration): RegistrationRecord {
  const { generation, id, object_type, url, enabled, created_at } = registration
  return { generation, id, object_type, url, enabled, created_at: timestamp(created_at) }
}
