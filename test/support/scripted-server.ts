import { once } from 'node:events'
import http, { type RequestListener } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Socket } from 'node:net'
import tls, { type TlsOptions, type TLSSocket } from 'node:tls'

export interface TestServer {
  readonly port: number
  /** The origin of the server. For HTTPS, the host is `localhost`. */
  readonly origin: string
  close(): Promise<void>
}

export async function serveHttp(
  answer: RequestListener,
  certificate?: { readonly cert: string; readonly key: string },
): Promise<TestServer> {
  const server = certificate ? https.createServer(certificate, answer) : http.createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: certificate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      if (server.listening) await server[Symbol.asyncDispose]()
    },
  }
}

/** A server whose responses are written by the test. */
export interface ScriptedServer {
  readonly port: number
  /** The URL, with a host name that the client must resolve. */
  readonly url: string
  readonly accepted: readonly Socket[]
  close(): void
}

/** Called with each TLS connection and a function that resets the connection without a TLS close. */
export type Serve = (socket: TLSSocket, reset: () => void) => void

export async function openTlsServer(
  options: TlsOptions,
  serve: Serve,
  host?: string,
): Promise<ScriptedServer> {
  const server = tls.createServer(options, (socket) => {
    const { remotePort } = socket
    socket.on('error', ignore)
    serve(socket, () => {
      opened.accepted.find((raw) => raw.remotePort === remotePort)?.resetAndDestroy()
    })
  })
  server.on('tlsClientError', ignore)
  const opened = await open(server, host)
  return opened
}

export function openTcpServer(serve: (socket: Socket) => void, host?: string): Promise<ScriptedServer> {
  return open(net.createServer(serve), host)
}

async function open(server: net.Server, host = '127.0.0.1'): Promise<ScriptedServer> {
  const accepted: Socket[] = []
  server.on('connection', (socket: Socket) => {
    accepted.push(socket)
    socket.on('error', ignore)
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `https://localhost:${port}/hooks/7d1c`,
    accepted,
    close() {
      for (const socket of accepted) socket.destroy()
      server.close()
    },
  }
}

export interface ScriptedRequest {
  readonly number: number
  readonly text: string
  readonly reset: () => void
}

export function onRequest(answer: (socket: TLSSocket, request: ScriptedRequest) => void): Serve {
  return (socket, reset) => {
    let received = ''
    let number = 0
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      received += text
      for (let end = endOfRequest(received); end <= received.length; end = endOfRequest(received)) {
        const request = { number: number + 1, text: received.slice(0, end), reset }
        received = received.slice(end)
        number += 1
        answer(socket, request)
      }
    })
  }
}

/** Returns the length of the first request, or Infinity while its headers are incomplete. */
function endOfRequest(received: string): number {
  const endOfHeaders = received.indexOf('\r\n\r\n')
  const length = /^content-length: (\d+)/im.exec(received)?.[1] ?? '0'
  return endOfHeaders === -1 ? Infinity : endOfHeaders + 4 + Number(length)
}

function ignore(): void {
  // Errors are expected, because tests end connections in every way.
}
