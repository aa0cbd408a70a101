import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { FIVE_MINUTES_MS } from './deadlines.ts'

export interface HttpRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | AsyncIterable<Uint8Array>
  readonly signal?: AbortSignal
}

export interface HttpAnswer {
  readonly ok: boolean
  readonly status: number
  readonly url: string
  readonly body: AsyncIterable<Uint8Array> | null
  json(): Promise<unknown>
}

export type HttpCall = (url: string, request: HttpRequest) => Promise<HttpAnswer>

interface CallOptions {
  /** The PEM certificates of the CAs to trust, instead of the public CAs. Defaults to the public CAs. */
  readonly trustedCas?: readonly string[] | undefined
  /** The idle timeout in milliseconds. Defaults to no timeout. */
  readonly idleMs?: number
}

/** Sends a request and reads the complete response. Does not use `fetch`, because `fetch` takes 35 ms to load in Node. */
export const callHttp = createHttpCall({ idleMs: FIVE_MINUTES_MS })

export function createHttpCall(options: CallOptions): HttpCall {
  return async (url, request) => {
    const message = await sendRequest(url, request, options)
    // Reads the response immediately, because an unread response keeps the process alive.
    const body = await readText(message)
    return { ...toAnswer(message, url), body: null, json: async () => JSON.parse(body) }
  }
}

/** Creates an HTTP call for a response without an end. The caller must read the response body. */
export function createStreamCall({ trustedCas }: Pick<CallOptions, 'trustedCas'>): HttpCall {
  return async (url, request) => {
    const message = await sendRequest(url, request, { trustedCas })
    const json = async (): Promise<unknown> => JSON.parse(await readText(message))
    return { ...toAnswer(message, url), body: message, json }
  }
}

function toAnswer({ statusCode = 0 }: IncomingMessage, url: string) {
  return { ok: statusCode >= 200 && statusCode <= 299, status: statusCode, url }
}

async function sendRequest(
  url: string,
  { method, headers, body, signal }: HttpRequest,
  { trustedCas = [], idleMs = 0 }: CallOptions,
): Promise<IncomingMessage> {
  const { request, ...identity } = url.startsWith('https:') ? await loadTls() : { request: requestHttp }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const call = request(url, {
    method,
    headers,
    timeout: idleMs,
    ...(signal && { signal }),
    ...(trustedCas.length > 0 && { ca: [...trustedCas] }),
    ...identity,
  })
  call.on('response', resolve)
  call.on('error', reject)
  call.on('timeout', () => call.destroy(new DOMException('The response took too long', 'TimeoutError')))
  if (body === undefined || typeof body === 'string') call.end(body)
  else sendPieces(body, call).catch(reject)
  return promise
}

/** Loads Node's TLS modules. Called only for HTTPS, because loading these modules takes time. */
async function loadTls() {
  const [{ request }, { checkServerIdentity }] = await Promise.all([
    import('node:https'),
    import('../adapters/server-identity.ts'),
  ])
  return { request, checkServerIdentity }
}

/** Sends a request body in chunks, no faster than the server reads. Stops sending when a response arrives early. */
async function sendPieces(pieces: AsyncIterable<Uint8Array>, call: ClientRequest): Promise<void> {
  let isAnswered = false
  call.once('response', () => (isAnswered = true))
  try {
    await pipeline(pieces, call)
  } catch (error) {
    if (isAnswered) return
    call.destroy()
    throw error
  }
}

async function readText(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
