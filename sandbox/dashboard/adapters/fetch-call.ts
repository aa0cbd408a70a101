import type { HttpCall } from '../../client/http-call.ts'

/** Makes HTTP calls with `fetch`. In the build of the dashboard, this module replaces the module that uses `node:http`. */
export const callHttp: HttpCall = async (url, { method, headers, body, signal }) => {
  const { 'user-agent': _, ...sent } = headers
  const response = await fetch(url, {
    method,
    headers: sent,
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    // Sends only text, because browsers cannot stream a request body over HTTP/1.1.
    ...(typeof body === 'string' && { body }),
    signal: signal ?? null,
  })
  const { ok, status, body: stream } = response
  return { ok, status, url, body: stream && readChunks(stream), json: () => response.json() }
}

export const createHttpCall = (): HttpCall => callHttp

/** Yields the chunks of a stream, which some browsers cannot iterate over directly. */
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

/** An error without a code, because browsers hide the cause. The build replaces the CLI's error class with this class. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

export function noAnswer(url: string, cause: unknown): UnreachableError {
  return new UnreachableError(`There is no answer from ${url}`, { cause })
}

export function notSandbox(attempt: string, state: string): UnreachableError {
  return new UnreachableError(`Cannot ${attempt}: ${state}`)
}
