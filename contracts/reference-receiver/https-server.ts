import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { isIPv4 } from 'node:net'
import { BODY_LIMIT, type Answer, type Endpoint, type IncomingRequest } from './endpoint.ts'

export interface ServerOptions {
  /** PEM: the certificate, and those between it and its root. */
  readonly cert: string
  readonly key: string
  /** 0 takes any that is free. */
  readonly port: number
  /** A header in which a trusted proxy says where a request comes from; the socket says it if left out. */
  readonly sourceHeader?: string | undefined
  readonly onError: (error: unknown) => void
}

export interface Server {
  readonly port: number
  close(): Promise<void>
}

/** Serves the endpoint on loopback. */
export async function serveHttps(endpoint: Endpoint, options: ServerOptions): Promise<Server> {
  const { cert, key, onError } = options
  const server = createServer({ cert, key, requestTimeout: 30_000 }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      onError(error)
      // The sender learns nothing of the reason, and sends it again.
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const closed = Promise.withResolvers<boolean>()
    response.on('close', () => closed.resolve(response.writableFinished))
    const body = await readBody(request)
    send(
      response,
      await endpoint(
        toIncomingRequest(request, { body, answered: closed.promise, header: options.sourceHeader }),
      ),
    )
  }

  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Reads to the end in any case: an answer to half a request may get lost. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length <= BODY_LIMIT) chunks.push(bytes)
  }
  return length <= BODY_LIMIT ? Buffer.concat(chunks) : undefined
}

interface Rest {
  readonly body: Uint8Array | undefined
  readonly answered: Promise<boolean>
  readonly header: string | undefined
}

function toIncomingRequest(request: IncomingMessage, { body, answered, header }: Rest): IncomingRequest {
  const given = header === undefined ? undefined : request.headers[header.toLowerCase()]
  const [path = ''] = (request.url ?? '').split('?')
  return {
    method: request.method ?? '',
    path,
    headers: request.headers,
    from: header === undefined ? socketAddress(request) : Array.isArray(given) ? undefined : given,
    body,
    answered,
  }
}

function socketAddress({ socket }: IncomingMessage): string | undefined {
  const last = socket.remoteAddress?.split(':').at(-1) ?? ''
  return isIPv4(last) ? last : socket.remoteAddress
}

function send(response: ServerResponse, { status, headers = {}, body = '' }: Answer): void {
  response.writeHead(status, headers)
  response.end(body)
}
