import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'
import { testAuthority, type TestAuthority, type TestCertificate } from '../../support/certificates.ts'
import {
  openTcpServer,
  openTlsServer,
  type ScriptedServer,
  type Serve,
} from '../../support/scripted-server.ts'

/** Where a row sets up its receiver; all of it is gone when the stage is closed. */
export interface Stage {
  readonly authority: TestAuthority
  /** Good for localhost, of the authority that is trusted. */
  readonly certificate: TestCertificate
  /** A receiver with this certificate; with a good one if none is given. */
  serve(serve: Serve, options?: TlsOptions, host?: string): Promise<ScriptedServer>
  /** A receiver that does not secure its connections. */
  serveTcp(serve: (socket: Socket) => void): Promise<ScriptedServer>
  /** A listener that nobody may connect to. */
  forbid(): Promise<ScriptedServer>
  onClose(cleanup: () => void): void
  /** How many connections went where none may go. */
  forbiddenConnections(): number
  connections(): number
  /** How many connections to the receivers are still open after the time that closing takes. */
  leftOpen(): Promise<number>
  close(): void
}

/** Far more than the end of a connection takes on loopback; only a connection that is left open waits for it. */
const PATIENCE_MS = 10_000

const authority = await testAuthority()
const certificate = await authority.issue({ hosts: ['localhost', '127.0.0.1', '::1'] })

export function createStage(): Stage {
  const receivers: ScriptedServer[] = []
  const forbidden: ScriptedServer[] = []
  const secured: Socket[] = []
  const cleanups: (() => void)[] = []

  return {
    authority,
    certificate,
    async serve(serve, options = certificate, host?) {
      const server = await openTlsServer(
        options,
        (socket, reset) => {
          secured.push(socket)
          serve(socket, reset)
        },
        host,
      )
      receivers.push(server)
      return server
    },
    async serveTcp(serve) {
      const server = await openTcpServer(serve)
      receivers.push(server)
      return server
    },
    async forbid() {
      const server = await openTcpServer(() => undefined)
      forbidden.push(server)
      return server
    },
    onClose: (cleanup) => void cleanups.push(cleanup),
    forbiddenConnections: () => forbidden.reduce((sum, { accepted }) => sum + accepted.length, 0),
    connections: () => receivers.reduce((sum, { accepted }) => sum + accepted.length, 0),
    async leftOpen() {
      const accepted = receivers.flatMap((server) => server.accepted)
      // The end of a connection is seen only by who reads it.
      for (const socket of [...secured, ...accepted]) socket.resume()
      const closed = await Promise.all(accepted.map(isClosedInTime))
      return closed.filter((isClosed) => !isClosed).length
    },
    close() {
      for (const server of [...receivers, ...forbidden]) server.close()
      for (const cleanup of cleanups) cleanup()
    },
  }
}

async function isClosedInTime(socket: Socket): Promise<boolean> {
  if (socket.destroyed) return true
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS)
  try {
    await once(socket, 'close', { signal: patience.signal })
    return true
  } catch {
    return socket.destroyed
  } finally {
    clearTimeout(timer)
  }
}
