import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'
import { spawn } from 'node:child_process'
import { type TestAuthority, testAuthority, type TestCertificate } from '../../support/certificates.ts'
import {
  onRequest,
  openTcpServer,
  openTlsServer,
  type ScriptedServer,
  type Serve,
} from '../../support/scripted-server.ts'
import type { FaultRow, FaultyReceiver } from './row.ts'
import type { Lookup } from '../../../sandbox/adapters/transport/lookup.ts'

/** The test environment for one fault. When the stage closes, it removes all receivers. */
export interface Stage {
  readonly authority: TestAuthority
  readonly certificate: TestCertificate
  serve(serve: Serve, options?: TlsOptions, host?: string): Promise<ScriptedServer>
  serveTcp(serve: (socket: Socket) => void): Promise<ScriptedServer>
  /** Opens a server to which nothing may connect. */
  forbid(): Promise<ScriptedServer>
  onClose(cleanup: () => void): void
  forbiddenConnections(): number
  connections(): number
  leftOpen(): Promise<number>
  close(): void
}

/** The maximum time for connections to close, in milliseconds. Only a leaked connection reaches this limit. */
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
      // Resumes reading, because only sockets that are read report the end of a connection.
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

type Open = FaultRow['open']

export const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

export const EMPTY = '\r\nContent-Length: 0\r\n\r\n'

export const serving =
  (serve: Serve, more: Partial<FaultyReceiver> = {}): Open =>
  async (stage) => ({ ...(await stage.serve(serve)), ...more })

export const servingTcp =
  (serve: (socket: Socket) => void): Open =>
  (stage) =>
    stage.serveTcp(serve)

/** Answers each request with `bytes` and keeps the connection open. */
export const saying = (bytes: string | Buffer): Open =>
  serving(onRequest((socket) => socket.write(bytes, 'latin1')))

/** Answers with `bytes` and ends the connection cleanly. */
export const closingAfter = (bytes: string): Open => serving(onRequest((socket) => socket.end(bytes)))

/** Resets the connection after `bytes`, as a crashed receiver does. */
export const resettingAfter = (bytes: string): Open =>
  serving(
    onRequest((socket, { reset }) =>
      bytes === '' ? reset() : socket.write(bytes, () => setImmediate(reset)),
    ),
  )

/** Sends the head, then each byte of `bytes` separately. */
export const dripping = (head: string, bytes: string): Open =>
  serving(
    onRequest((socket) => {
      socket.write(head)
      let index = 0
      const next = () => {
        if (!socket.writable) return
        socket.write(bytes[index++ % bytes.length] ?? '')
        setTimeout(next, 10)
      }
      next()
    }),
  )

export const resolvesTo =
  (...addresses: readonly string[]): Lookup =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

export const failsWith =
  (code: string): Lookup =>
  (_name, _options, callback) =>
    callback(Object.assign(new Error(code), { code }), [])

export const MUTE: Lookup = () => undefined

/** A program that listens but never accepts a connection. */
const STANDING_STILL = `
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })`

/** More connections than fit into the queue of the port. */
const WAITING = 8

/** Opens a port whose connection queue is full. The system drops new connections silently, like a firewall. */
export async function openFullQueue(stage: Stage): Promise<FaultyReceiver> {
  const child = spawn(process.execPath, ['-e', STANDING_STILL], { stdio: ['ignore', 'pipe', 'inherit'] })
  stage.onClose(() => child.kill('SIGKILL'))
  const [printed] = await once(child.stdout, 'data')
  const port = Number(String(printed))

  const sockets = Array.from({ length: WAITING }, () => net.connect({ host: '127.0.0.1', port }))
  for (const socket of sockets) socket.on('error', () => undefined)
  stage.onClose(() => {
    for (const socket of sockets) socket.destroy()
  })
  // All sockets connect at the same time, so when one connection is established, the queue is full.
  await Promise.race(sockets.map((socket) => once(socket, 'connect')))
  return { url: `https://127.0.0.1:${port}/hooks/7d1c` }
}

const answer = onRequest((socket) => socket.write(OK))

export const forbidden =
  (url: string, rest: Omit<FaultyReceiver, 'url'> = {}): FaultRow['open'] =>
  async (stage) => {
    const { port } = await stage.forbid()
    return { ...rest, url: url.replace('{port}', String(port)) }
  }

export const allowed =
  (url: string, rest: Omit<FaultyReceiver, 'url'> = {}, host?: string): FaultRow['open'] =>
  async (stage) => {
    const { port } = await stage.serve(answer, await certificateFor(stage, url), host)
    return { ...rest, url: url.replace('{port}', String(port)), connections: 1 }
  }

export const refused = (id: FaultRow['id'], outcome: string, urls: readonly string[]): readonly FaultRow[] =>
  urls.map((url) => ({ id, what: `is ${shown(url)}`, outcome, open: forbidden(url) }))

export const accepted = (id: FaultRow['id'], urls: readonly string[]): readonly FaultRow[] =>
  urls.map((url) => ({ id, what: `is ${shown(url)}`, outcome: '200', open: allowed(url) }))

function certificateFor(stage: Stage, url: string) {
  const hostname = URL.parse(url.replace('{port}', '1'))?.hostname ?? ''
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return stage.authority.issue({ hosts: [host] })
}

function shown(url: string): string {
  const text = JSON.stringify(url).slice(1, -1)
  return text.length > 70 ? `${text.slice(0, 60)}… (${text.length} characters)` : text
}
