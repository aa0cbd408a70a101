import type { Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'
import { openTcpServer, openTlsServer, type ScriptedServer, type Serve } from './scripted-server.ts'

/** Serves on a free port of loopback until the test ends. */
export async function tlsServer(options: TlsOptions, serve: Serve): Promise<ScriptedServer> {
  return untilTestEnds(await openTlsServer(options, serve))
}

/** The same without TLS. */
export async function tcpServer(serve: (socket: Socket) => void): Promise<ScriptedServer> {
  return untilTestEnds(await openTcpServer(serve))
}

function untilTestEnds(server: ScriptedServer): ScriptedServer {
  onTestFinished(() => server.close())
  return server
}
