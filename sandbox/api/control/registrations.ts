import type { RegistrationRecord, RegistrationRequest } from '../../../spec/generated/control-types.ts'
import { DELIVERY } from '../../../spec/generated/delivery.ts'
import { callbackTypes } from '../../../spec/delivery.ts'
import { didYouMean } from '../../../spec/nearest.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { timestamp } from '../../engine/core/timestamp.ts'
import type {
  CallbackRegistration,
  Registration,
  WebhookRegistration,
} from '../../engine/state/registration.ts'
import { reply } from '../operations/operation.ts'
import {
  afterTestPost,
  checkReceiverUrl,
  refuseSecond,
  updateRegistration,
} from '../operations/registrations.ts'
import { lookBack } from './look-back.ts'
import type { ControlContext, ControlOperation } from './operation.ts'
import { completeId, searchIds } from './short-ids.ts'

export const listRegistrations: ControlOperation<'listRegistrations'> = lookBack((_, { view }) =>
  reply(200, {
    registrations: [...view.registrations('webhooks'), ...view.registrations('callbacks')].map(
      toRegistrationRecord,
    ),
  }),
)

/** By the rules of the service. Source: §1, §4, §8 */
export const addRegistration: ControlOperation<'addRegistration'> = ({ body }, context) => {
  const url = checkReceiverUrl(body.url, context)
  const wanted = { ...parseSubject(body, context), url, enabled: true }
  refuseSecond(wanted, context)
  return afterTestPost(wanted, (test_status) => {
    refuseSecond(wanted, context)
    const now = context.now()
    const registration: Registration = {
      ...wanted,
      id: context.newId(),
      description: null,
      created_at: now,
      updated_at: now,
    }
    return reply(201, { registration: toRegistrationRecord(registration), test_status }, [
      { kind: 'registration', registration },
    ])
  })
}

export const changeRegistration: ControlOperation<'changeRegistration'> = ({ path, body }, context) => {
  const { view } = context
  const all = [...view.registrations('webhooks'), ...view.registrations('callbacks')]
  const id = completeId(path.id, searchIds(all))
  function find(): Registration {
    const registration = view.registration(id)
    if (registration) return registration
    const message = `Cannot find registration "${id}"`
    throw new ApiError('not-found', {
      field: 'id',
      message,
      hint: 'list them',
      command: 'registrations',
    })
  }
  const change = (registration: Registration): Registration => ({ ...registration, enabled: body.enabled })
  return updateRegistration({ find, change, toReply: toRegistrationRecord }, context)
}

type Subject =
  | Pick<WebhookRegistration, 'generation' | 'object_type'>
  | Pick<CallbackRegistration, 'generation' | 'object_type'>

/** Each generation has its own types. Source: §2.2. Reading: callback-list */
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

function toRegistrationRecord({
  generation,
  id,
  object_type,
  url,
  enabled,
  created_at,
}: Registration): RegistrationRecord {
  return { generation, id, object_type, url, enabled, created_at: timestamp(created_at) }
}
