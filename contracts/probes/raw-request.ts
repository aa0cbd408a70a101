import { request as httpsRequest } from 'node:https'
import { checkServerIdentity } from '../../sandbox/internal.ts'
import type { RawRequest } from '../toolkit/check-context.ts'
import type { Exchange } from '../finding.ts'

/** A request as it goes out. */
export interface OddRequest extends RawRequest {
  /** The local address that it leaves from; any if undefined. */
  readonly from?: string | undefined
  /** The sender hangs up when this resolves, counted from when the request is sent. */
  readonly hangUpWhen?: (() => Promise<unknown>) | undefined
}

const TIMEOUT_MS = 10_000
const MOST_KEPT = 65_536

/** Sends what no delivery of the service is. Never rejects. */
export function sendRawRequest(raw: OddRequest, ca: readonly string[]): Promise<Exchange> {
  const { method, url, label, body = '', hangUpWhen, about, from, isChunked = false } = raw
  const headers = isChunked ? { ...raw.headers, 'transfer-encoding': 'chunked' } : (raw.headers ?? {})
  const startedAt = performance.now()
  const sent = (rest: Pick<Exchange, 'status' | 'reason' | 'message' | 'response'>): Exchange => ({
    label,
    ...(about && { about: { type: about.type, id: about.id } }),
    request: { method, url, headers: Object.entries(headers), body },
    flags: [],
    tookMs: performance.now() - startedAt,
    ...rest,
  })
  return new Promise((resolve) => {
    const limit = setTimeout(
      () => give(withoutAnswer('header_timeout', 'It did not answer in time')),
      TIMEOUT_MS,
    )
    const place = from === undefined ? {} : { localAddress: from, family: 4 }
    const trust = { ca: [...ca], checkServerIdentity }
    const call = httpsRequest(url, { method, headers, agent: false, ...trust, ...place }, (answer) => {
      const chunks: Buffer[] = []
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength
        if (bytes <= MOST_KEPT) chunks.push(chunk)
      })
      const finish = () => give(withAnswer(answer.statusCode ?? 0, answer.rawHeaders, Buffer.concat(chunks)))
      answer.on('end', finish)
      answer.on('error', finish)
    })
    function give(rest: Pick<Exchange, 'status' | 'reason' | 'message' | 'response'>): void {
      clearTimeout(limit)
      resolve(sent(rest))
      call.destroy()
    }
    call.on('error', (error: NodeJS.ErrnoException) => give(withoutAnswer(toReason(error), error.message)))
    // From when it is sent: until then, how long it takes to connect says nothing about the receiver.
    call.on('finish', () => {
      const hangUp = () => give(withoutAnswer('hung_up', 'The sender hung up before the answer'))
      // Where the sign cannot be had, it is time to hang up too.
      hangUpWhen?.().then(hangUp, hangUp)
    })
    const bytes = Buffer.from(body)
    const firstSize = isChunked ? Math.floor(bytes.length / 2) : 0
    if (firstSize > 0) call.write(bytes.subarray(0, firstSize))
    call.end(bytes.subarray(firstSize))
  })
}

function withoutAnswer(reason: string, message: string) {
  return { status: null, reason, message, response: null }
}

function withAnswer(status: number, raw: readonly string[], body: Buffer) {
  const headers = raw.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : [],
  )
  return {
    status,
    reason: null,
    message: `Answered ${status}`,
    response: { status, headers, body: body.toString('utf8') },
  }
}

function toReason({ code = '' }: NodeJS.ErrnoException): string {
  if (code === 'ECONNREFUSED') return 'connect_refused'
  return code === 'ECONNRESET' ? 'reset' : 'unreachable'
}
