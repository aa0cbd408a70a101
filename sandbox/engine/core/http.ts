/** A request as the APIs read it, whether it came through a port or from this process. */
export interface HttpRequest {
  readonly method: string
  /** Percent-encoded and without dot segments, as a URL parser leaves it. */
  readonly path: string
  /** With its question mark; empty if there is none. */
  readonly query: string
  /** By its name in small letters; several values are joined by commas. */
  readonly header: (name: string) => string | undefined
  /** All of them as they came, for whoever passes the request on. */
  readonly headers: () => readonly (readonly [name: string, value: string])[]
  /** Gives the body piece by piece. What `take` throws ends it; rejects with CallerGoneError if it breaks off. */
  readonly readBody: (take: (piece: Uint8Array) => void) => Promise<void>
  /**
   * The same for a body that may be large: no faster than it is read, and for as long as its pieces keep coming. Throws
   * CallerGoneError if it breaks off.
   */
  readonly bodyPieces: () => AsyncIterable<Uint8Array>
  /** Aborts when the caller is gone. */
  readonly signal: () => AbortSignal
}

export interface HttpResponse {
  /** Null if the connection is cut in place of an answer. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | ReadableStream<Uint8Array> | null
}

/** Never rejects. */
export type RequestHandler = (request: HttpRequest) => Promise<HttpResponse>

const JSON_TYPE = { 'content-type': 'application/json' }

/** An answer with text that is JSON. */
export function jsonResponse(
  status: number,
  text: string,
  headers?: Readonly<Record<string, string>>,
): HttpResponse {
  return { status, headers: headers ? { ...JSON_TYPE, ...headers } : JSON_TYPE, body: text }
}

/** The caller went away before the whole request was there. Nothing failed, and nobody is left to be answered. */
export class CallerGoneError extends Error {
  override readonly name = 'CallerGoneError'

  constructor(options?: ErrorOptions) {
    super('The caller is gone', options)
  }
}

/** The connection is cut in place of an answer. */
export const CUT_CONNECTION: HttpResponse = { status: null, headers: {}, body: null }
