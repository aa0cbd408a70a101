import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CUT_CONNECTION, type HttpRequest, type HttpResponse } from '../engine/core/http.ts'

/** The listener of another process that a request is passed on to. */
export interface Upstream {
  readonly url: string
  /** What its certificate is issued by, where it speaks HTTPS. */
  readonly caPem: string
  /** Sent beside those of the caller, and in place of those of the same name; names in small letters. */
  readonly headers: Readonly<Record<string, string>>
}

/** Nothing listens there: the request has done nothing, and nothing of its body was read. */
export class NobodyThereError extends Error {
  override readonly name = 'NobodyThereError'
}

/** Passes requests on, body and answer piece by piece, as fast as they are read. */
export interface PassOn {
  /**
   * The answer. Cuts the caller off where it cannot be known what became of the request, and gives it up when the caller is gone
   * or `signal` aborts, in the middle of the answer, too. Rejects with NobodyThereError.
   */
  send(request: HttpRequest, upstream: Upstream, signal: AbortSignal): Promise<HttpResponse>
  close(): void
}

const CONNECT_MS = 2_000

/** What is about one connection only, and what has been looked at by whoever passes it on: hosts and pages differ. */
const LEFT_OUT = new Set(
  (
    'connection keep-alive proxy-connection te trailer transfer-encoding upgrade expect ' +
    'host origin sec-fetch-site sec-fetch-mode sec-fetch-dest'
  ).split(' '),
)

export function createPassOn(): PassOn {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }
  return {
    async send(request, upstream, signal) {
      const outgoing = open(request, upstream, agents)
      const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>()
      let answered: IncomingMessage | undefined
      // An answer that is under way is cut off as it would be without a node in between.
      const giveUp = () => (answered ?? outgoing).destroy()
      for (const each of [request.signal(), signal]) each.addEventListener('abort', giveUp, { once: true })
      let isConnected = false
      whenConnected(outgoing, upstream, () => {
        isConnected = true
        // Not before: nothing of the body is read for somebody who is not there.
        if (hasBody(request)) pipeline(Readable.from(request.bodyPieces()), outgoing).catch(() => {})
        else outgoing.end()
      })
      outgoing.once('response', (incoming) => {
        answered = incoming
        incoming.on('error', () => {})
        if (!isSmallText(incoming) || request.method === 'HEAD')
          return resolve(toResponse(incoming, toBytes(incoming)))
        readText(incoming).then(
          (body) => resolve(toResponse(incoming, body)),
          () => resolve(CUT_CONNECTION),
        )
      })
      outgoing.on('error', (cause) => {
        if (answered) return
        if (isConnected) resolve(CUT_CONNECTION)
        else reject(new NobodyThereError(`Cannot reach ${upstream.url}`, { cause }))
      })
      outgoing.once('close', () => {
        if (!answered) resolve(CUT_CONNECTION)
      })
      return promise
    },
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

interface Agents {
  readonly http: HttpAgent
  readonly https: HttpsAgent
}

function open(request: HttpRequest, { url, caPem, headers }: Upstream, agents: Agents): ClientRequest {
  const target = new URL(url)
  const given = request.headers().filter(([name]) => isPassedOn(name, headers))
  const options: RequestOptions = {
    host: target.hostname.replaceAll(/[[\]]/g, ''),
    port: target.port,
    method: request.method,
    path: `${request.path}${request.query}`,
    headers: [...given, ...Object.entries({ ...headers, host: target.host })].flat(),
  }
  return target.protocol === 'https:'
    ? requestHttps({ ...options, agent: agents.https, ca: caPem, servername: nameOf(target) })
    : requestHttp({ ...options, agent: agents.http })
}

/** Gives up after a while where nobody answers. */
function whenConnected(outgoing: ClientRequest, { url }: Pick<Upstream, 'url'>, begin: () => void): void {
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) return begin()
    const late = setTimeout(() => outgoing.destroy(new Error('It does not answer')), CONNECT_MS).unref()
    outgoing.once('close', () => clearTimeout(late))
    socket.once(url.startsWith('https:') ? 'secureConnect' : 'connect', () => {
      clearTimeout(late)
      begin()
    })
  })
}

function isPassedOn(given: string, own: Upstream['headers']): boolean {
  const name = given.toLowerCase()
  return !LEFT_OUT.has(name) && own[name] === undefined
}

/** Addresses are no names that a server can be told of. */
function nameOf({ hostname }: URL): string {
  return /^[\d.]+$|:/.test(hostname) ? '' : hostname
}

function hasBody(request: HttpRequest): boolean {
  const isSaid = ['content-length', 'transfer-encoding'].some((name) => request.header(name) !== undefined)
  return isSaid || request.method !== 'GET'
}

/** What is taken whole: a stream of so little would cost more than all the rest of the call. */
const SMALL_BYTES = 65_536

function isSmallText({ headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length'] ?? Infinity)
  return headers['content-type'] === 'application/json' && length <= SMALL_BYTES
}

async function readText(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of incoming.setEncoding('utf8')) text += piece
  return text
}

function toBytes(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what Node reads of a socket is bytes
  return Readable.toWeb(incoming) as ReadableStream<Uint8Array>
}

function toResponse(incoming: IncomingMessage, body: HttpResponse['body']): HttpResponse {
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).flatMap(([name, value]) =>
      LEFT_OUT.has(name) || value === undefined ? [] : [[name, String(value)]],
    ),
  )
  return { status: incoming.statusCode ?? 502, headers, body }
}
