import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { jsonResponse, type HttpResponse, type RequestHandler } from '../engine/core/http.ts'
import { USER_AGENT } from '../engine/delivery/message.ts'
import type { IssuedCertificate } from './certificate-authority.ts'
import { ListenError } from './listen-error.ts'
import { findHeader, toHttpRequest } from './node-request.ts'
import { sendResponse } from './node-response.ts'

export interface Listener {
  readonly port: number
  readonly url: string
  /** Stops accepting, lets running requests end for `graceMs` of real time, then cuts them off. */
  close(graceMs: number): Promise<void>
}

export interface ListenOptions {
  /** 0 takes any free port. */
  readonly port: number
  /** The flag that chooses the port, for the message when it is taken. */
  readonly flag: string
  /** What to serve HTTPS with; HTTP if left out. */
  readonly tls?: IssuedCertificate | undefined
  /** A path that leads elsewhere once its dot segments are taken out is refused; they are taken out if left out. */
  readonly exactPaths?: boolean
  readonly limits?: Limits
}

const HOST = '127.0.0.1'
interface Limits {
  /** For how long the headers may come, and the body, or nothing of a large one. */
  readonly headersMs: number
  readonly requestMs: number
  /** Further ones are closed at once. */
  readonly connections: number
}

const LIMITS: Limits = { headersMs: 10_000, requestMs: 30_000, connections: 1_000 }

/** Serves a handler on loopback, to callers that name it as such and are no web page of another origin. */
export async function listen(handle: RequestHandler, options: ListenOptions): Promise<Listener> {
  const { port, flag, tls, exactPaths = false, limits = LIMITS } = options
  const server = tls ? await createTlsServer(tls, limits) : createServer(serverOptions(limits))
  server.maxConnections = limits.connections
  const reset = watchConnections(server)
  const scheme = tls ? 'https' : 'http'

  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, { port, flag })))
    server.listen(port, HOST, () => {
      const bound = boundPort(server)
      const names = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${bound}`)
      const callee = { names, origins: names.map((name) => `${scheme}://${name}`), exactPaths }
      server.on('request', (incoming, outgoing) => {
        const { requestMs } = limits
        serve(incoming, outgoing, { handle, callee, reset, requestMs }).catch(() => outgoing.destroy())
      })
      resolve({
        port: bound,
        url: `${scheme}://${HOST}:${bound}`,
        close: (graceMs) => close(server, graceMs),
      })
    })
  })
}

function boundPort(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

interface ServePorts {
  readonly handle: RequestHandler
  readonly callee: Callee
  readonly reset: (socket: Socket) => void
  readonly requestMs: number
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { handle, callee, reset, requestMs }: ServePorts,
): Promise<void> {
  const refusal = findRefusal(incoming, callee)
  const request = refusal ? undefined : toHttpRequest(incoming, outgoing, requestMs)
  const response = request ? await handle(request) : (refusal ?? BAD_TARGET)
  if (response.status === null) {
    if (!incoming.socket.destroyed) reset(incoming.socket)
  } else sendResponse(outgoing, response.status, response)
}

function serverOptions({ headersMs }: Limits) {
  return {
    headersTimeout: headersMs,
    // Whoever reads a body has its deadline.
    requestTimeout: 0,
    // Node looks every 30 s otherwise, and so lets each of them take up to 30 s more.
    connectionsCheckingInterval: Math.min(1_000, headersMs / 2),
    maxHeaderSize: 16_384,
  }
}

/** Node's TLS is loaded only where it is spoken. */
async function createTlsServer(
  { certificatePem, privateKeyPem }: IssuedCertificate,
  limits: Limits,
): Promise<Server> {
  const { createServer: create } = await import('node:https')
  return create({ ...serverOptions(limits), cert: certificatePem, key: privateKeyPem })
}

/** The TCP connection under each connection of a server: what TLS is spoken over, or the connection itself. */
function watchConnections(server: Server): (top: Socket) => void {
  const rawByPort = new Map<number | undefined, Socket>()
  server.on('connection', (raw: Socket) => {
    const { remotePort } = raw
    rawByPort.set(remotePort, raw)
    raw.once('close', () => rawByPort.delete(remotePort))
  })
  // A connection that is secured cannot be reset itself.
  return (top) => (rawByPort.get(top.remotePort) ?? top).resetAndDestroy()
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}

function listenError(
  error: NodeJS.ErrnoException,
  { port, flag }: Pick<ListenOptions, 'port' | 'flag'>,
): ListenError {
  const detail = error.code === 'EADDRINUSE' ? 'it is in use' : error.message
  const remedy = `choose another with ${flag} (0 takes any free one)`
  return new ListenError(`Cannot listen on port ${port}: ${detail}; ${remedy}`, {
    code: error.code,
    cause: error,
  })
}

/** What the listener is called, as a Host header and as an Origin header say it. */
interface Callee {
  readonly names: readonly string[]
  readonly origins: readonly string[]
  readonly exactPaths: boolean
}

/**
 * What a browser can be made to send from a hostile page, and what the sandbox itself sends, is refused before anything
 * looks at it: another host name (DNS rebinding), another origin, our own deliveries.
 */
function findRefusal(incoming: IncomingMessage, callee: Callee): HttpResponse | undefined {
  const { rawHeaders, url = '' } = incoming
  const { names, origins, exactPaths } = callee
  const header = (name: string) => findHeader(rawHeaders, name)
  const host = header('host')
  // Several are joined by commas.
  if (host === undefined || host.includes(','))
    return toRefusal(400, 'bad_host', 'Cannot answer: send exactly one Host header')
  if (!names.includes(host.toLowerCase()))
    return toRefusal(403, 'foreign_host', `Cannot answer for host "${host}": call ${names[0]} or ${names[1]}`)
  const origin = header('origin')
  if (origin !== undefined && !origins.includes(origin.toLowerCase()))
    return toRefusal(403, 'foreign_origin', `Cannot answer a page of origin "${origin}"`)
  const site = header('sec-fetch-site')
  if (site !== undefined && /(cross|same)-site/.test(site))
    return toRefusal(403, 'foreign_origin', 'Cannot answer a page of another site')
  if (header('user-agent')?.split(', ').includes(USER_AGENT) === true)
    return toRefusal(403, 'own_delivery', 'Cannot answer: this is a delivery of this sandbox')
  return exactPaths && DOT_SEGMENT.test(url) ? DOTTED_TARGET : undefined
}

/** As a URL parser knows it: a backslash is a slash to it, and `%2e` a dot. */
const DOT_SEGMENT = /^[^?#]*[/\\](\.|%2e){1,2}([/\\?#]|$)/i
const DOTTED_TARGET = toRefusal(
  400,
  'bad_target',
  'Cannot answer: the path has the segment "." or "..", which leads elsewhere',
)

const BAD_TARGET = toRefusal(400, 'bad_target', 'Cannot answer: the request names no path')

function toRefusal(status: number, code: string, message: string): HttpResponse {
  return jsonResponse(status, JSON.stringify({ error: { code, message } }), { connection: 'close' })
}
