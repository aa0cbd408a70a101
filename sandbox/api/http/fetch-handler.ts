import { CallerGoneError, type HttpRequest, type RequestHandler } from '../../engine/core/http.ts'

export type FetchHandler = (request: Request) => Promise<Response>

export function toFetchHandler(handle: RequestHandler): FetchHandler {
  return async (request) => {
    const { status, headers, body } = await handle(toHttpRequest(request))
    return status === null ? Response.error() : new Response(body, { status, headers })
  }
}

function toHttpRequest({ method, url, headers, body, signal }: Request): HttpRequest {
  const { pathname, search } = new URL(url)
  return {
    method,
    path: pathname,
    query: search,
    header: (name) => headers.get(name) ?? undefined,
    headers: () => [...headers],
    async readBody(take) {
      for await (const piece of readPieces(body, signal)) take(piece)
    },
    bodyPieces: () => readPieces(body, signal),
    signal: () => signal,
  }
}

async function* readPieces(body: Request['body'], signal: AbortSignal): AsyncIterable<Uint8Array> {
  try {
    yield* body ?? []
  } catch (cause) {
    throw signal.aborted ? new CallerGoneError({ cause }) : cause
  }
}
