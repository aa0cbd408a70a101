import type { RegistrationRecord } from '../../../spec/generated/control-types.ts'
import { reply } from '../operations/operation.ts'
import { lookBack } from './look-back.ts'
import type { ControlOperation } from './operation.ts'
import { timestamp } from '../../engine/core/timestamp.ts'
import type { Registration } from '../../engine/state/registration.ts'

export const listRegistrations: ControlOperation<'listRegistrations'> = lookBack((_, { view }) =>
  reply(200, {
    registrations: [...view.registrations('webhooks'), ...view.registrations('callbacks')].map(
      toRegistrationRecord,
    ),
  }),
)

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
