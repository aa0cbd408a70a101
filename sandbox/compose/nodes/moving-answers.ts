import { OPERATIONS } from '../../../spec/generated/service-operations.ts'
import type { ErrorFamily, OperationRow } from '../../../spec/rows.ts'
import { errorReply } from '../../api/http/error-bodies.ts'
import { createRouter } from '../../api/http/router.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { jsonResponse, type HttpRequest, type HttpResponse } from '../../engine/core/http.ts'
import { passes, type StorageError } from '../../engine/state/log.ts'
import type { Door } from '../world-registry.ts'

/** Seconds after which a call may be made again. */
const RETRY_AFTER_S = '1'

const families = createRouter(
  new Map(Object.values<OperationRow>(OPERATIONS).map(({ path, errors }) => [path, errors])),
)

/** A world is on its way from one node to another. */
export function answerMoving(door: Door, request: HttpRequest, world: string): HttpResponse {
  const message = `World "${world}" is moving to another node: try again`
  return toResponse(new ApiError('world-moving', message), familyOf(door, request))
}

/** PostgreSQL cannot be reached to find out which node has the world, or the world in it cannot be opened. */
export function answerProblem(door: Door, request: HttpRequest, problem: StorageError): HttpResponse {
  const code = passes(problem) ? 'storage-away' : 'storage-gone'
  return toResponse(new ApiError(code, problem.message), familyOf(door, request))
}

function familyOf(door: Door, { path }: HttpRequest): ErrorFamily {
  if (door === 'bench') return 'control'
  return families.find(path, () => true)?.value ?? 'objects'
}

function toResponse(error: ApiError, family: ErrorFamily): HttpResponse {
  const { status, body } = errorReply(error, family)
  return jsonResponse(status, JSON.stringify(body), status === 503 ? { 'retry-after': RETRY_AFTER_S } : {})
}
