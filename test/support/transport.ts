import type { Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'
import {
  createUndiciTransport,
  type UndiciTransport,
  type UndiciTransportOptions,
} from '../../sandbox/adapters/transport/undici-transport.ts'
import { createEgress } from '../../sandbox/engine/delivery/egress.ts'
import type { Exchange, HttpMessage } from '../../sandbox/engine/core/ports.ts'
import { openTcpServer, openTlsServer, type ScriptedServer, type Serve } from './scripted-server.ts'

/** The deadline in milliseconds, longer than any exchange on loopback takes. */
export const DEADLINE_MS = 250

/** Opens a resource that is closed automatically when the test ends. */
export function openTransport(ca: string, options: Partial<UndiciTransportOptions> = {}): UndiciTransport {
  const transport = createUndiciTransport({
    trustedCas: () => [ca],
    egress: createEgress({ allowTargets: [], ownPorts: () => [] }),
    ...options,
  })
  onTestFinished(() => transport.close())
  return transport
}

export function message(url: string, body: Uint8Array = Buffer.from('{"message":"hello"}')): HttpMessage {
  return { url, headers: { 'content-type': 'application/json' }, body }
}

export function summary({ outcome, flags }: Exchange): string {
  const what = outcome.kind === 'answered' ? String(outcome.status) : outcome.reason
  return [what, ...flags].join(' ')
}

/** Opens a resource that is closed automatically when the test ends. */
export async function tlsServer(options: TlsOptions, serve: Serve): Promise<ScriptedServer> {
  return untilTestEnds(await openTlsServer(options, serve))
}

/** Opens a resource that is closed automatically when the test ends. */
export async function tcpServer(serve: (socket: Socket) => void): Promise<ScriptedServer> {
  return untilTestEnds(await openTcpServer(serve))
}

function untilTestEnds(server: ScriptedServer): ScriptedServer {
  onTestFinished(() => server.close())
  return server
}
