import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { ReadableStreamReadResult } from 'node:stream/web'
import type { RequestHandler, HttpResponse } from '../engine/core/http.ts'
import type { IssuedCertificate } from './certificate-authority.ts'
import { ListenError } from './listen-error.ts'
import { listenerNames, LOOPBACK, type ListenPlace } from './listen-place.ts'
import { toHttpRequest } from './node-request.ts'
import { BAD_TARGET, findRefusal, type Callee } from './request-guard.ts'

export interface Listener {
  readonly port: number
  readonly url: string
  /** The URL for other machines. Equal to `url` if other machines have no access. */
  readonly publicUrl: string
  /** Stops accepting connections. Closes the remaining connections after `graceMs` of real time. */
  close(graceMs: number): Promise<void>
}

export interface ListenOptions {
  readonly port: number
  /** The command-line option that sets the port. The error for a port in use names this option. */
  readonly flag: string
  /** The address to listen on. Defaults to loopback. */
  readonly place?: ListenPlace | undefined
  readonly tls?: IssuedCertificate | undefined
  /** True if a path with dot segments is rejected. By default, dot segments in a path are resolved. */
  readonly exactPaths?: boolean
  readonly limits?: Limits
}

interface Limits {
  readonly headersMs: number
  /** The time limit for reading a small body, or the next chunk of a large body, in milliseconds. */
  readonly requestMs: number
  readonly connections: number
}

const LIMITS: Limits = { headersMs: 10_000, requestMs: 30_000, connections: 1_000 }

/** Serves requests with a known host name. Rejects requests from other web origins. Requires HTTPS except on loopback. */
export async function listen(handle: RequestHandler, options: ListenOptions): Promise<Listener> {
  const { port, place, tls, exactPaths = false, limits = LIMITS } = options
  if (place && !tls) throw new TypeError(`Cannot listen on ${place.address}: HTTPS requires a certificate`)
  const server = tls ? await createTlsServer(tls, limits) : createServer(serverOptions(limits))
  server.maxConnections = limits.connections
  const reset = watchConnections(server)
  const scheme = tls ? 'https' : 'http'

  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, options)))
    server.listen(port, place?.address ?? LOOPBACK, () => {
      const bound = boundPort(server)
      const { all: names, ...called } = listenerNames(place, bound)
      const callee = {
        names,
        remedy: place ? 'use a host name that you allowed with "up --allowed-host"' : loopbackRemedy(names),
        origins: names.map((name) => `${scheme}://${name}`),
        exactPaths,
      }
      server.on('request', (incoming, outgoing) => {
        const { requestMs } = limits
        serve(incoming, outgoing, { handle, callee, reset, requestMs }).catch(() => outgoing.destroy())
      })
      resolve({
        port: bound,
        url: `${scheme}://${called.own}`,
        publicUrl: `${scheme}://${called.public}`,
        close: (graceMs) => close(server, graceMs),
      })
    })
  })
}

function loopbackRemedy([address = '', name = '']: readonly string[]): string {
  return `use ${address} or ${name}`
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
    // Node's timeout is disabled, because each body reader has its own deadline.
    requestTimeout: 0,
    // By default, Node checks time limits only every 30 s, so they could take effect 30 s late.
    connectionsCheckingInterval: Math.min(1_000, headersMs / 2),
    maxHeaderSize: 16_384,
  }
}

async function createTlsServer(
  { certificatePem, privateKeyPem }: IssuedCertificate,
  limits: Limits,
): Promise<Server> {
  const { createServer: create } = await import('node:https')
  return create({
    ...serverOptions(limits),
    cert: certificatePem,
    key: privateKeyPem,
    // By default, Node waits two minutes for the TLS handshake of a silent connection.
    handshakeTimeout: limits.headersMs,
  })
}

/** Returns a function that resets the TCP connection below an HTTP or HTTPS connection. */
function watchConnections(server: Server): (top: Socket) => void {
  const rawByCaller = new Map<string, Socket>()
  server.on('connection', (raw: Socket) => {
    const caller = callerOf(raw)
    rawByCaller.set(caller, raw)
    raw.once('close', () => {
      // Compares the sockets, because a new connection of the caller may already use the same port.
      if (rawByCaller.get(caller) === raw) rawByCaller.delete(caller)
    })
  })
  // Resets the raw TCP socket, because Node cannot reset a TLS connection directly.
  return (top) => (rawByCaller.get(callerOf(top)) ?? top).resetAndDestroy()
}

/** Includes the address, because callers on different machines can have the same port. */
function callerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`
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
  { port, flag, place }: Pick<ListenOptions, 'port' | 'flag' | 'place'>,
): ListenError {
  const options = { code: error.code, cause: error }
  if (place && (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT')) {
    const remedy = 'Give an address of this machine with --listen, or 0.0.0.0 for all addresses'
    return new ListenError(
      `Cannot listen on ${place.address}: this machine does not have that address. ${remedy}`,
      options,
    )
  }
  const detail = error.code === 'EADDRINUSE' ? 'the port is in use' : error.message
  const remedy = `Choose another port with ${flag} (0 takes any free port)`
  return new ListenError(`Cannot listen on port ${port}: ${detail}. ${remedy}`, options)
}

/** The time to read the remaining request body after the response, in milliseconds. An immediate close could lose the response. */
const LINGER_MS = 500

function sendResponse(
  outgoing: ServerResponse,
  status: number,
  { headers, body }: Pick<HttpResponse, 'headers' | 'body'>,
): void {
  const { req: incoming } = outgoing
  if (!incoming.complete) outgoing.once('finish', () => discardRest(incoming))
  if (typeof body === 'string') {
    // Sets the length of the body. Without a length, Node would use chunked encoding, which takes 25 % longer.
    outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
    return
  }
  outgoing.writeHead(status, headers)
  if (body === null) outgoing.end()
  else {
    outgoing.flushHeaders()
    sendStream(body, outgoing)
  }
}

function sendStream(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): void {
  const reader = body.getReader()
  const sendNext = () => void reader.read().then(send, () => setImmediate(() => outgoing.destroy()))
  const send = ({ done, value }: ReadableStreamReadResult<Uint8Array>) => {
    if (done) outgoing.end()
    else if (outgoing.write(value)) sendNext()
    else outgoing.once('drain', sendNext)
  }
  outgoing.once('close', () => void reader.cancel().catch(() => {}))
  sendNext()
}

function discardRest(incoming: IncomingMessage): void {
  if (incoming.complete) return
  const cut = setTimeout(() => incoming.socket.destroySoon(), LINGER_MS)
  cut.unref()
  incoming.once('close', () => clearTimeout(cut))
  incoming.once('end', () => clearTimeout(cut))
  incoming.resume()
}
