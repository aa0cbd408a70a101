import { isSameSecret } from '../../engine/core/secret-strength.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { performFirst, reply, type Operation } from './operation.ts'

/** Reading: token-operation */
export const createToken: Operation<'createToken'> = ({ body }, { credentials, readings }) => {
  const known = isSameSecret(body.client_id, credentials.client_id)
  const proven = isSameSecret(body.client_secret, credentials.client_secret)
  if (!known || !proven) throw new ApiError('unauthorized', 'invalid credentials')

  const expires_in = Math.floor(readings()['access-token-lifetime'] / 1_000)
  return performFirst(
    (actions) => actions.issueToken(),
    (access_token) => reply(200, { access_token, expires_in, token_type: 'Bearer' }),
  )
}
