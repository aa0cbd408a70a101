import type { UnknownRouteError } from '../../../spec/generated/service-types.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import {
  jsonResponse,
  type HttpRequest,
  type HttpResponse,
  type RequestHandler,
} from '../../engine/core/http.ts'
import type { ReceivedCall } from '../control/requests.ts'
import { errorReply } from './error-bodies.ts'
import { answer, toRoute, type Handler, type PipelinePorts } from './pipeline.ts'
import { createRouter, type Router } from './router.ts'

/** Creates routes from the generated operation table. `unknown` answers requests without a route and takes the path's methods. */
export function createApp<Actions>(
  handlers: readonly Handler<Actions>[],
  ports: PipelinePorts<Actions>,
  unknown: (request: HttpRequest, methods: readonly string[]) => HttpResponse,
): RequestHandler {
  const byPath = Map.groupBy(handlers.map(toRoute), ({ row }) => row.path)
  const routesByPath = new Map(
    [...byPath].map(([path, routes]) => [path, new Map(routes.map((route) => [route.row.method, route]))]),
  )
  const router = routerOf([...byPath.keys()])

  // Rejects a trailing slash in the control API. Otherwise, deleting `/control/faults/` with an empty id would remove all faults.
  const isExact = handlers.some(({ row }) => row.errors === 'control')
  const find = (path: string, method?: string) =>
    isExact && path.endsWith('/')
      ? undefined
      : router.find(path, (known) => method === undefined || routesByPath.get(known)?.has(method) === true)

  function dispatch(
    request: HttpRequest,
    call: ReceivedCall | undefined,
  ): Promise<HttpResponse> | HttpResponse {
    const { path } = request
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const found = find(path, method)
    const route = found && routesByPath.get(found.route)?.get(method)
    if (found && route) return answer(route, { request, path: found.params, call }, ports)
    const methods = routesByPath.get(find(path)?.route ?? '')?.keys() ?? []
    return unknown(request, [...methods])
  }

  return async (request) => {
    const call = ports.calls?.begin(request)
    const response = await dispatch(request, call)
    if (call) ports.calls?.end(call, response.status)
    if (request.method !== 'HEAD') return response
    if (typeof response.body === 'object') void response.body?.cancel()
    return { ...response, body: null }
  }
}

const routers = new Map<string, Router>()

/** Returns a cached router. All worlds share the router, because routers are large. */
function routerOf(paths: readonly string[]): Router {
  const key = paths.join(' ')
  const router = routers.get(key) ?? createRouter(paths)
  routers.set(key, router)
  return router
}

/** Answers a service API call that matches no route. Reading: object-errors */
export function unknownServiceRoute(): HttpResponse {
  const body: UnknownRouteError = { status: '404', error: 'Not Found' }
  return jsonResponse(404, JSON.stringify(body))
}

export function unknownControlRoute({ method, path }: HttpRequest, methods: readonly string[]): HttpResponse {
  if (method === 'OPTIONS')
    return toErrorResponse(
      new ApiError('forbidden', 'Cannot answer a preflight: pages of other sites must not call the bench'),
    )
  const error =
    methods.length === 0
      ? new ApiError('not-found', `Cannot find "${path}": the bench has no such path`)
      : new ApiError('not-allowed', `Cannot ${method} "${path}": this path accepts ${methods.join(', ')}`)
  return toErrorResponse(error, methods.length === 0 ? undefined : { allow: methods.join(', ') })
}

function toErrorResponse(error: ApiError, headers?: Readonly<Record<string, string>>): HttpResponse {
  const { status, body } = errorReply(error, 'control')
  return jsonResponse(status, JSON.stringify(body), headers)
}
