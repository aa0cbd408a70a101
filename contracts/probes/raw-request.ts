import type { ClientRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { checkServerIdentity } from '../../sandbox/internal.ts'
import type { RawRequest } from '../toolkit/check-context.ts'
import type { Exchange } from '../finding.ts'

export interface OddRequest extends RawRequest {
  /** The local IP address to send from. Undefined means any address. */
  readonly from?: string | undefined
  /** Called after the request is sent. The sender closes the connection when the returned promise settles. */
  readonly hangUpWhen?: (() => Promise<unknown>) | undefined
  /** Defaults to 10 s. */
  readonly timeoutMs?: number | undefined
}

const TIMEOUT_MS = 10_000
const MAX_KEPT = 65_536

/** Sends an unusual request, such as a body in chunks. The returned promise never rejects. */
export function sendRawRequest(raw: OddRequest, ca: readonly string[]): Promise<Exchange> {
  const { method, url, label, body = '', hangUpWhen, about, from, timeoutMs = TIMEOUT_MS } = raw
  const bytes = Buffer.from(body)
  const { isChunked, expectsContinue, splits } = raw
  const headers = {
    ...raw.headers,
    ...(isChunked === true && { 'transfer-encoding': 'chunked' }),
    ...((splits ?? expectsContinue) && { 'content-length': String(bytes.length) }),
    ...(expectsContinue === true && { expect: '100-continue' }),
  }
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
      () => give(withoutAnswer('header_timeout', 'The receiver did not answer in time')),
      timeoutMs,
    )
    const place = from === undefined ? {} : { localAddress: from, family: 4 }
    const trust = { ca: [...ca], checkServerIdentity }
    const call = httpsRequest(url, { method, headers, agent: false, ...trust, ...place }, (answer) => {
      const chunks: Buffer[] = []
      let length = 0
      answer.on('data', (chunk: Buffer) => {
        length += chunk.byteLength
        if (length <= MAX_KEPT) chunks.push(chunk)
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
    // The timeout for the response starts after the request is sent, because the connection can take any time.
    call.on('finish', () => {
      const hangUp = () => give(withoutAnswer('hung_up', 'The sender disconnected before the answer'))
      // The sender also closes the connection if the promise rejects.
      hangUpWhen?.().then(hangUp, hangUp)
    })
    sendBody(call, bytes, raw)
  })
}

/** Waits only a limited time for 100 Continue, because a receiver may not support 100 Continue. Source: RFC 9110, 10.1.1 */
function sendBody(
  call: ClientRequest,
  bytes: Buffer,
  { splits, isChunked, expectsContinue }: OddRequest,
): void {
  const parts = splits ?? (isChunked === true ? [sizeOfFirstChunk(bytes)] : [])
  if (expectsContinue !== true) return void writeParts(call, bytes, parts)
  let isSent = false
  const send = () => {
    clearTimeout(patience)
    if (!isSent) void writeParts(call, bytes, parts)
    isSent = true
  }
  const patience = setTimeout(send, CONTINUE_MS)
  call.once('continue', send)
  call.flushHeaders()
}

const CONTINUE_MS = 1_000

async function writeParts(call: ClientRequest, bytes: Buffer, splits: readonly number[]): Promise<void> {
  call.setNoDelay(true)
  const ends = [...splits.filter((end) => end > 0 && end < bytes.length), bytes.length]
  for (const [index, end] of ends.entries()) {
    if (call.destroyed) return
    const part = bytes.subarray(ends[index - 1] ?? 0, end)
    if (end === bytes.length) call.end(part)
    else {
      call.write(part)
      await pause(PART_MS)
    }
  }
}

const PART_MS = 3

/**
 * Returns the size of a first chunk that ends inside a multi-byte character. Without such a character, the chunk ends in the
 * middle of the body.
 */
function sizeOfFirstChunk(bytes: Buffer): number {
  const start = bytes.findIndex((byte) => byte >= 0x80)
  return start === -1 ? Math.floor(bytes.length / 2) : start + 1
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
  if (code.startsWith('HPE_')) return 'protocol_error'
  return code === 'ECONNRESET' ? 'reset' : 'unreachable'
}
