import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ReadableStreamReadResult } from 'node:stream/web'
import type { HttpResponse } from '../engine/core/http.ts'

/** How long what is still sent is read after the answer: to cut it off at once could lose the answer. */
const LINGER_MS = 500

/** An answer that is given: its status is known. */
export interface SentResponse extends HttpResponse {
  readonly status: number
}

export function sendResponse(
  { status, headers, body }: SentResponse,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  if (!incoming.complete) outgoing.once('finish', () => discardRest(incoming))
  outgoing.writeHead(status, headers)
  if (typeof body === 'string') outgoing.end(body)
  else if (body === null) outgoing.end()
  else {
    outgoing.flushHeaders()
    sendStream(body, outgoing)
  }
}

/** As fast as the caller reads. A stream that gives the caller up cuts the connection. */
function sendStream(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): void {
  const reader = body.getReader()
  const sendNext = () => void reader.read().then(send, () => outgoing.destroy())
  const send = ({ done, value }: ReadableStreamReadResult<Uint8Array>) => {
    if (done) outgoing.end()
    else if (outgoing.write(value)) sendNext()
    else outgoing.once('drain', sendNext)
  }
  outgoing.once('close', () => void reader.cancel().catch(() => {}))
  sendNext()
}

/** Reads on for a moment and keeps nothing; a caller that never ends is cut off. */
function discardRest(incoming: IncomingMessage): void {
  if (incoming.complete) return
  const cut = setTimeout(() => incoming.socket.destroySoon(), LINGER_MS)
  cut.unref()
  incoming.once('close', () => clearTimeout(cut))
  incoming.once('end', () => clearTimeout(cut))
  incoming.resume()
}
