export interface HttpRequest {
  readonly method: string
  /** Percent-encoded, without dot segments. */
  readonly path: string
  /** With its question mark. Empty if there is none. */
  readonly query: string
  /** Takes a name in small letters. Joins several values by commas. */
  readonly header: (name: string) => string | undefined
  readonly headers: () => readonly (readonly [name: string, value: string])[]
  /** Passes on the body in pieces. An error of `take` ends it. Rejects with CallerGoneError if the caller goes away. */
  readonly readBody: (take: (piece: Uint8Array) => void) => Promise<void>
  /** Reads a large body no faster than the pieces are taken. Throws CallerGoneError if the caller goes away. */
  readonly bodyPieces: () => AsyncIterable<Uint8Array>
  readonly signal: () => AbortSignal
}

export interface HttpResponse {
  /** Null if the connection is cut instead of an answer. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | ReadableStream<Uint8Array> | null
}

/** Never rejects. */
export type RequestHandler = (request: HttpRequest) => Promise<HttpResponse>

const JSON_TYPE = { 'content-type': 'application/json' }

export function jsonResponse(
  status: number,
  text: string,
  headers?: Readonly<Record<string, string>>,
): HttpResponse {
  return { status, headers: headers ? { ...JSON_TYPE, ...headers } : JSON_TYPE, body: text }
}

/** The caller left before the request was complete. Nothing failed, and no response is needed. */
export class CallerGoneError extends Error {
  override readonly name = 'CallerGoneError'

  constructor(options?: ErrorOptions) {
    super('The caller is gone', options)
  }
}

export const CUT_CONNECTION: HttpResponse = { status: null, headers: {}, body: null }
