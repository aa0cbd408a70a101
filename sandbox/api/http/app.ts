import { Hono } from 'hono'
import type { UnknownRouteError } from '../../../spec/generated/service-types.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import type { OpenCall } from '../../engine/state/request-log.ts'
import { errorReply } from './error-bodies.ts'
import { answer, type Decide, type PipelinePorts } from './pipeline.ts'
import type { OperationRow } from '../../../spec/rows.ts'

export type FetchHandler = (request: Request) => Promise<Response>

export interface Route<Actions> {
  readonly row: OperationRow
  readonly decide: Decide<Actions>
}

/** What goes with a request to its handler. */
interface RequestBindings {
  readonly Bindings: { readonly call?: OpenCall | undefined }
}

/**
 * One listener as a function. Its routes come from the generated operation table; a trailing slash makes no difference.
 * `unknown` answers where there is no route, knowing which methods the path has, if any.
 */
export function createApp<Actions>(
  routes: readonly Route<Actions>[],
  ports: PipelinePorts<Actions>,
  unknown: (request: Request, methods: readonly string[]) => Response,
): FetchHandler {
  const app = new Hono<RequestBindings>({ strict: false })
  const methodsByPath = Map.groupBy(routes, ({ row }) => row.path)
  // Paths without parameters first: the `secret_key` of `/webhooks/secret_key` is not a webhook's id.
  for (const route of routes.toSorted((a, b) => a.row.params.length - b.row.params.length)) {
    app.on(route.row.method, toHonoPath(route.row.path), (context) =>
      answer(route, { request: context.req.raw, path: context.req.param(), call: context.env.call }, ports),
    )
  }
  for (const [path, present] of methodsByPath) {
    const methods = present.map(({ row }) => row.method)
    app.all(toHonoPath(path), (context) => unknown(context.req.raw, methods))
  }
  app.notFound((context) => unknown(context.req.raw, []))
  return async (request) => {
    const call = ports.beginCall?.(request)
    const response = await app.fetch(request, { call })
    call?.end(response.status === 0 ? null : response.status)
    return response
  }
}

function toHonoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** The service's answer where it has nothing. Reading: object-errors */
export function unknownServiceRoute(): Response {
  const body: UnknownRouteError = { status: '404', error: 'Not Found' }
  return Response.json(body, { status: 404 })
}

/** The bench's answer where it has nothing, or not with this method. */
export function unknownControlRoute(request: Request, methods: readonly string[]): Response {
  const { pathname } = new URL(request.url)
  if (request.method === 'OPTIONS')
    return toErrorResponse(new ApiError('forbidden', 'Cannot answer a preflight: no page may call the bench'))
  const error =
    methods.length === 0
      ? new ApiError('not-found', `Cannot find "${pathname}": the bench has no such path`)
      : new ApiError('not-allowed', `Cannot ${request.method} "${pathname}": it takes ${methods.join(', ')}`)
  return toErrorResponse(error, methods.length === 0 ? {} : { allow: methods.join(', ') })
}

function toErrorResponse(error: ApiError, headers: Record<string, string> = {}): Response {
  const { status, body } = errorReply(error, 'control')
  return Response.json(body, { status, headers })
}
