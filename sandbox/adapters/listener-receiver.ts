import { once } from 'node:events'
import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { duplexPair, type Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'

/** A request listener of `node:http`, such as an Express application. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse) => unknown

/** The part of a Fastify application that `toReceiver` uses. */
export interface RoutingApplication {
  readonly ready: () => PromiseLike<unknown>
  readonly routing: (request: IncomingMessage, response: ServerResponse) => unknown
}

/** The options of a receiver in your application. */
export interface ReceiverOptions {
  /** The receiver's path in your application, such as `/notifications/items`. Defaults to the path of the registered URL. */
  readonly path?: string
}

/**
 * Creates a receiver for `createSandbox` from an Express or Fastify application, or a `node:http` listener. Each delivery is a real
 * HTTP request, but no port is opened.
 */
export function toReceiver(
  application: RequestListener | RoutingApplication,
  options: ReceiverOptions = {},
): (request: Request) => Promise<Response> {
  const stray = Object.keys(options).find((name) => name !== 'path')
  if (stray !== undefined) {
    throw new RangeError(`Cannot make a receiver with option "${stray}": the only option is "path"`)
  }
  const { path } = options
  if (path !== undefined && !path.startsWith('/')) {
    throw new RangeError(
      `Cannot make a receiver at path "${path}": the value must be a path such as /notifications/items`,
    )
  }
  const listen = toListener(application)
  return async (request) => exchange(request, { path, listener: await listen() })
}

function toListener(application: RequestListener | RoutingApplication): () => Promise<RequestListener> {
  // Checks for a function first, because an Express application is a function and can have any properties.
  if (typeof application === 'function') return async () => application
  if (typeof application?.ready === 'function' && typeof application.routing === 'function') {
    return async () => {
      await application.ready()
      return application.routing
    }
  }
  throw new TypeError(
    `Cannot make a receiver of a value of type ${typeof application}: the value must be an Express or Fastify application, or a listener (request, response)`,
  )
}

interface Call {
  readonly path: string | undefined
  readonly listener: RequestListener
}

async function exchange(request: Request, { path, listener }: Call): Promise<Response> {
  const [near, far] = duplexPair()
  const thrown = Promise.withResolvers<never>()
  const server = createServer((incoming, response) => {
    void callListener(listener, { incoming, response }).catch((error: unknown) => {
      thrown.reject(error)
      far.destroy()
    })
  })
  server.emit('connection', asSecureSocket(far))
  try {
    return await Promise.race([send(request, path, near), thrown.promise])
  } finally {
    near.destroy()
    far.destroy()
  }
}

interface IncomingCall {
  readonly incoming: IncomingMessage
  readonly response: ServerResponse
}

async function callListener(listener: RequestListener, { incoming, response }: IncomingCall): Promise<void> {
  await listener(incoming, response)
}

/** Adds the properties of a TLS socket, because deliveries use HTTPS and frameworks check for these properties. */
function asSecureSocket(stream: Duplex): Duplex {
  return Object.assign(stream, { encrypted: true, remoteAddress: '127.0.0.1' })
}

async function send(request: Request, path: string | undefined, near: Duplex): Promise<Response> {
  const { host, pathname, search } = new URL(request.url)
  const body = Buffer.from(await request.arrayBuffer())
  const outgoing = sendRequest({
    method: request.method,
    path: path ?? `${pathname}${search}`,
    headers: { ...Object.fromEntries(request.headers), host, 'content-length': body.length },
    createConnection: () => near,
  })
  outgoing.end(body)
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
  if (!incoming) throw new Error('The listener sent no response')
  return toResponse(incoming, await buffer(incoming))
}

/** The statuses of responses without a body. Source: Fetch, "null body status" */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

function toResponse({ statusCode = 500, rawHeaders }: IncomingMessage, body: Buffer): Response {
  const headers = new Headers()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  }
  return new Response(WITHOUT_BODY.has(statusCode) ? null : new Uint8Array(body), {
    status: statusCode,
    headers,
  })
}
