import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import tls, { type TlsOptions, type TLSSocket } from 'node:tls'
import { onTestFinished } from 'vitest'

export interface TestServer {
  readonly port: number
  /** With a host name, so that names are looked up. */
  readonly url: string
  /** Connections accepted so far, secured or not. */
  readonly accepted: readonly Socket[]
}

/** Gets each secured connection, and the way to reset it: TLS itself would say goodbye first. */
export type Serve = (socket: TLSSocket, reset: () => void) => void

/** Serves on a free port of loopback until the test ends; what it says is written by hand. */
export async function tlsServer(options: TlsOptions, serve: Serve): Promise<TestServer> {
  const server = tls.createServer(options, (socket) => {
    const { remotePort } = socket
    socket.on('error', ignore)
    serve(socket, () => {
      test.accepted.find((raw) => raw.remotePort === remotePort)?.resetAndDestroy()
    })
  })
  server.on('tlsClientError', ignore)
  const test = await listening(server)
  return test
}

/** The same without TLS. */
export function tcpServer(serve: (socket: Socket) => void): Promise<TestServer> {
  return listening(net.createServer(serve))
}

async function listening(server: net.Server): Promise<TestServer> {
  const accepted: Socket[] = []
  server.on('connection', (socket: Socket) => {
    accepted.push(socket)
    socket.on('error', ignore)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of accepted) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `https://localhost:${port}/hooks/7d1c`, accepted }
}

export interface TestRequest {
  /** Counted from 1 on each connection. */
  readonly number: number
  readonly text: string
  readonly reset: () => void
}

/** Calls `answer` for each whole request of a connection. */
export function onRequest(answer: (socket: TLSSocket, request: TestRequest) => void): Serve {
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

/** Infinity while the headers are not complete. */
function endOfRequest(received: string): number {
  const endOfHeaders = received.indexOf('\r\n\r\n')
  const length = /^content-length: (\d+)/im.exec(received)?.[1] ?? '0'
  return endOfHeaders === -1 ? Infinity : endOfHeaders + 4 + Number(length)
}

function ignore(): void {
  // The other side ends connections in every way there is: that is what is tested.
}
