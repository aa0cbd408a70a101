import type { HttpCall } from '../../client/http-call.ts'

/** What the client calls by in a browser. The build puts this module in place of the one that calls by `node:http`. */
export const callHttp: HttpCall = async (url, { method, headers, body, signal }) => {
  // The browser names itself.
  const { 'user-agent': _, ...sent } = headers
  const response = await fetch(url, {
    method,
    headers: sent,
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    // Nothing here sends what is too large to be held: browsers stream no body to a server that speaks HTTP/1.1.
    ...(typeof body === 'string' && { body }),
    signal: signal ?? null,
  })
  const { ok, status, body: stream } = response
  return { ok, status, url, body: stream && readChunks(stream), json: () => response.json() }
}

/** No call has a deadline here. */
export const createHttpCall = (): HttpCall => callHttp

/** Not every browser lets a stream be iterated. */
async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
