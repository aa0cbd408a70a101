import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { USER_AGENT } from '../engine/delivery/message.ts'
import type { FetchHandler } from '../api/http/app.ts'
import type { IssuedCertificate } from './certificate-authority.ts'

export interface Listener {
  readonly port: number
  readonly url: string
  /** Stops accepting, lets running requests end for `graceMs` of real time, then cuts them off. */
  close(graceMs: number): Promise<void>
}

/** The port cannot be listened on. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  /** What the system says, such as EADDRINUSE. */
  readonly code: string | undefined

  constructor(
    message: string,
    { code, ...options }: ErrorOptions & { readonly code?: string | undefined } = {},
  ) {
    super(message, options)
    this.code = code
  }
}

export interface ListenOptions {
  /** 0 takes any free port. */
  readonly port: number
  /** The flag that chooses the port, for the message when it is taken. */
  readonly flag: string
  /** What to serve HTTPS with; HTTP if left out. */
  readonly tls?: IssuedCertificate | undefined
}

const HOST = '127.0.0.1'
const MOST_CONNECTIONS = 1_000

/** Serves a handler on loopback, to callers that name it as such and are no web page of another origin. */
export function listen(handle: FetchHandler, { port, flag, tls }: ListenOptions): Promise<Listener> {
  const scheme = tls ? 'https' : 'http'
  const limits = { headersTimeout: 10_000, requestTimeout: 30_000, maxHeaderSize: 16_384 }
  const server = createAdaptorServer({
    async fetch(request, { incoming }) {
      const refusal = 'rawHeaders' in incoming ? findRefusal(incoming as IncomingMessage, scheme) : undefined
      const response = refusal ?? (await handle(request))
      // Of what is not cut nothing but the status is looked at: once opened otherwise, the adapter copies it piece by piece.
      if (response.status !== 0) return response
      reset((incoming as IncomingMessage).socket)
      return placeholder()
    },
    ...(tls
      ? {
          createServer,
          serverOptions: { ...limits, cert: tls.certificatePem, key: tls.privateKeyPem },
        }
      : { serverOptions: limits }),
  })
  const reset = watchConnections(server)
  if ('maxConnections' in server) server.maxConnections = MOST_CONNECTIONS

  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, { port, flag })))
    server.listen(port, HOST, () => {
      const address = server.address()
      const bound = typeof address === 'object' && address ? address.port : port
      resolve({
        port: bound,
        url: `${scheme}://${HOST}:${bound}`,
        close: (graceMs) => close(server, graceMs),
      })
    })
  })
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

/** What stands in place of an answer to a connection that was cut. */
function placeholder(): Response {
  return new Response(null, { headers: { 'x-hono-already-sent': 'true' } })
}

type Server = ReturnType<typeof createAdaptorServer>

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    if ('closeIdleConnections' in server) server.closeIdleConnections()
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

/**
 * What a browser can be made to send from a hostile page, and what the sandbox itself sends, is refused before anything
 * looks at it: another host name (DNS rebinding), another origin, our own deliveries.
 */
function findRefusal({ rawHeaders, socket }: IncomingMessage, scheme: string): Response | undefined {
  const values = (name: string) =>
    rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
  const hosts = values('host')
  const [host = ''] = hosts
  if (hosts.length !== 1) return toRefusal(400, 'bad_host', 'Cannot answer: send exactly one Host header')
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${socket.localPort}`)
  if (!own.includes(host.toLowerCase())) {
    return toRefusal(403, 'foreign_host', `Cannot answer for host "${host}": call ${own[0]} or ${own[1]}`)
  }
  const foreignOrigin = values('origin').find(
    (origin) => !own.some((name) => origin.toLowerCase() === `${scheme}://${name}`),
  )
  if (foreignOrigin !== undefined) {
    return toRefusal(403, 'foreign_origin', `Cannot answer a page of origin "${foreignOrigin}"`)
  }
  if (values('sec-fetch-site').some((site) => site === 'cross-site' || site === 'same-site')) {
    return toRefusal(403, 'foreign_origin', 'Cannot answer a page of another site')
  }
  if (values('user-agent').some((agent) => agent === USER_AGENT)) {
    return toRefusal(403, 'own_delivery', 'Cannot answer: this is a delivery of this sandbox')
  }
  return undefined
}

function toRefusal(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status, headers: { connection: 'close' } })
}
