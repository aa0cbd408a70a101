export interface HttpRequest {
  readonly method: string
  /** The percent-encoded path without dot segments. */
  readonly path: string
  /** The query with its question mark. Empty if the request has no query. */
  readonly query: string
  /** Returns the value of a header. `name` must be in lower case. Several values are joined with commas. */
  readonly header: (name: string) => string | undefined
  readonly headers: () => readonly (readonly [name: string, value: string])[]
  /** Passes the body to `take` in pieces until `take` throws. Rejects with CallerGoneError if the caller disconnects. */
  readonly readBody: (take: (piece: Uint8Array) => void) => Promise<void>
  /** Streams a large body with backpressure. Throws CallerGoneError if the caller disconnects. */
  readonly bodyPieces: () => AsyncIterable<Uint8Array>
  readonly signal: () => AbortSignal
}

export interface HttpResponse {
  /** The HTTP status. Null if the connection is cut without a response. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | ReadableStream<Uint8Array> | null
}

/** A function that answers a request. The returned promise never rejects. */
export type RequestHandler = (request: HttpRequest) => Promise<HttpResponse>

const JSON_TYPE = { 'content-type': 'application/json' }

export function jsonResponse(
  status: number,
  text: string,
  headers?: Readonly<Record<string, string>>,
): HttpResponse {
  return { status, headers: headers ? { ...JSON_TYPE, ...headers } : JSON_TYPE, body: text }
}

export class CallerGoneError extends Error {
  override readonly name = 'CallerGoneError'

  constructor(options?: ErrorOptions) {
    super('The caller closed the connection', options)
  }
}

export const CUT_CONNECTION: HttpResponse = { status: null, headers: {}, body: null }
