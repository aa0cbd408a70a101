import type { UnknownRouteError } from '../../../spec/generated/service-types.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { errorReply } from './error-bodies.ts'

/** The service's answer where it has nothing. Reading: object-errors */
export function unknownServiceRoute(): Response {
  const body: UnknownRouteError = { status: '404', error: 'Not Found' }
  return Response.json(body, { status: 404 })
}

/** The bench's answer where it has nothing, or not with this method. */
export function unknownControlRoute(request: Request, methods: readonly string[]): Response {
  const { pathname } = new URL(request.url)
  if (request.method === 'OPTIONS')
    return refusal(new ApiError('forbidden', 'Cannot answer a preflight: no page may call the bench'))
  const error =
    methods.length === 0
      ? new ApiError('not-found', `Cannot find "${pathname}": the bench has no such path`)
      : new ApiError('not-allowed', `Cannot ${request.method} "${pathname}": it takes ${methods.join(', ')}`)
  return refusal(error, methods.length === 0 ? {} : { allow: methods.join(', ') })
}

function refusal(error: ApiError, headers: Record<string, string> = {}): Response {
  const { status, body } = errorReply(error, 'control')
  return Response.json(body, { status, headers })
}
