import { ApiError } from '../../engine/core/api-error.ts'
import { reply, type Operation } from './operation.ts'

/** What webhooks are signed with from now on. Without signatures the service has no such operation. Reading: signature */
export const createSecretKey: Operation<'createSecretKey'> = ({ body }, { readings, view, realNow }) => {
  if (readings().signature === 'off') throw new ApiError('not-found', 'resource not found')
  const { secret_key } = body
  const [present] = view.secrets()
  const writes =
    present?.secret === secret_key ? [] : [{ kind: 'secret', secret_key, set_at: realNow() } as const]
  return reply(201, { secret_key }, writes)
}
