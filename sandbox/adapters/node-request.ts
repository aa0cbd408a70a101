import type { IncomingMessage, ServerResponse } from 'node:http'
import { CallerGoneError, type HttpRequest } from '../engine/core/http.ts'

/** Finds a header by its lower-case name, and joins repeated headers with commas. Node's own `headers` drops some repeated headers. */
export function findHeader(rawHeaders: readonly string[], name: string): string | undefined {
  let found: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] ?? ''
    if (given.length !== name.length || given.toLowerCase() !== name) continue
    const value = rawHeaders[index + 1] ?? ''
    found = found === undefined ? value : `${found}, ${value}`
  }
  return found
}

function toPairs(rawHeaders: readonly string[]): (readonly [string, string])[] {
  const names = rawHeaders.filter((_, index) => index % 2 === 0)
  return names.map((name, index) => [name, rawHeaders[2 * index + 1] ?? ''])
}

/**
 * Converts a request of `node:http`. Returns undefined for an invalid target. `bodyMs` limits the total time for a body, or the
 * time between two chunks of a large body.
 */
export function toHttpRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  bodyMs: number,
): HttpRequest | undefined {
  const target = parseTarget(incoming.url ?? '')
  return (
    target && {
      ...target,
      method: incoming.method ?? 'GET',
      header: (name) => findHeader(incoming.rawHeaders, name),
      headers: () => toPairs(incoming.rawHeaders),
      readBody(take) {
        const deadline = createDeadline(outgoing, bodyMs)
        return readBody(incoming, take).finally(deadline.cancel)
      },
      bodyPieces: () => readPieces(incoming, createDeadline(outgoing, bodyMs)),
      signal: () => createCloseSignal(outgoing),
    }
  )
}

type Target = Pick<HttpRequest, 'path' | 'query'>

/** Targets that a URL parser would not change. Parsing such targets would make each Show operation 2.5 % slower. */
const PLAIN_TARGET = /^(\/[\w\-~!$&()*+,;=:@]+)+\/?(\?[\w.\-~!$&()*+,;=:@/?]+)?$/

function parseTarget(target: string): Target | undefined {
  if (PLAIN_TARGET.test(target)) {
    const start = target.indexOf('?')
    return start === -1
      ? { path: target, query: '' }
      : { path: target.slice(0, start), query: target.slice(start) }
  }
  // The request target contains an origin only if the client uses the sandbox as a proxy.
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
    incoming.once('error', (cause) => reject(new CallerGoneError({ cause })))
    // Rejects when the connection closes too early, because an incomplete body can end without an error.
    incoming.once('close', () => incoming.complete || reject(new CallerGoneError()))
    if (incoming.destroyed) reject(new CallerGoneError())
  })
}

async function* readPieces(incoming: IncomingMessage, deadline: Deadline): AsyncIterable<Uint8Array> {
  try {
    for await (const piece of incoming.iterator({ destroyOnReturn: false })) {
      deadline.cancel()
      yield piece
      deadline.begin()
    }
  } catch (cause) {
    throw new CallerGoneError({ cause })
  } finally {
    deadline.cancel()
  }
  if (!incoming.complete) throw new CallerGoneError()
}

interface Deadline {
  begin(): void
  cancel(): void
}

const LATE = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

/** Creates the deadline for a request body. Node's own deadline is not used, because it does not restart with each chunk. */
function createDeadline(outgoing: ServerResponse, delayMs: number): Deadline {
  let timer: NodeJS.Timeout | undefined
  const cancel = () => clearTimeout(timer)
  function begin(): void {
    timer = setTimeout(() => {
      const { socket } = outgoing
      if (!outgoing.headersSent) socket?.write(LATE)
      socket?.destroySoon()
    }, delayMs)
    timer.unref()
  }
  begin()
  return { begin, cancel }
}

function createCloseSignal(outgoing: ServerResponse): AbortSignal {
  const closing = new AbortController()
  const close = () => outgoing.writableFinished || closing.abort()
  outgoing.once('close', close)
  if (outgoing.destroyed) close()
  return closing.signal
}
