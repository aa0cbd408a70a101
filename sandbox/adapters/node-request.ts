import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpRequest } from '../engine/core/http.ts'

/** By names in small letters; several values of a name are joined by commas. */
export type HeaderValues = ReadonlyMap<string, string>

/** In one pass: Node's own `headers` drops what comes twice. */
export function readHeaders(rawHeaders: readonly string[]): HeaderValues {
  const values = new Map<string, string>()
  for (let index = 1; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index - 1]?.toLowerCase() ?? ''
    const value = rawHeaders[index] ?? ''
    const before = values.get(name)
    values.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return values
}

/** A request as it came through a port; undefined if its target is none. */
export function toHttpRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  headers: HeaderValues,
): HttpRequest | undefined {
  const target = parseTarget(incoming.url ?? '')
  return (
    target && {
      ...target,
      method: incoming.method ?? 'GET',
      header: (name) => headers.get(name),
      readBody: (take) => readBody(incoming, take),
      signal: () => createCloseSignal(outgoing),
    }
  )
}

type Target = Pick<HttpRequest, 'path' | 'query'>

/** What a URL parser would leave as it is. To call one for each request would cost a fortieth of a Show. */
const PLAIN_TARGET = /^(\/[\w\-~!$&()*+,;=:@]+)+\/?(\?[\w.\-~!$&()*+,;=:@/?]+)?$/

function parseTarget(target: string): Target | undefined {
  if (PLAIN_TARGET.test(target)) {
    const start = target.indexOf('?')
    return start === -1
      ? { path: target, query: '' }
      : { path: target.slice(0, start), query: target.slice(start) }
  }
  // A request for a proxy names the origin, too.
  const url = URL.parse(target.startsWith('/') ? `http://localhost${target}` : target)
  return url ? { path: url.pathname, query: url.search } : undefined
}

function readBody(incoming: IncomingMessage, take: (piece: Uint8Array) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const takePiece = (piece: Uint8Array) => {
      try {
        take(piece)
      } catch (error) {
        incoming.off('data', takePiece)
        reject(error)
      }
    }
    incoming.on('data', takePiece)
    incoming.once('end', resolve)
    incoming.once('error', reject)
    if (incoming.destroyed) reject(new Error('The caller is gone'))
  })
}

function createCloseSignal(outgoing: ServerResponse): AbortSignal {
  const closing = new AbortController()
  const close = () => outgoing.writableFinished || closing.abort()
  outgoing.once('close', close)
  if (outgoing.destroyed) close()
  return closing.signal
}
