/** The failures that an operation may declare. How each looks is in `error-bodies.ts`. */
export type ErrorCode =
  | 'malformed'
  | 'missing-fields'
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'unknown-route'
  | 'not-allowed'
  | 'conflict'
  | 'too-large'
  | 'unsupported-media-type'
  | 'invalid-status'
  | 'storage-full'
  | 'storage-gone'
  | 'storage-away'
  | 'standby'

/** What tells the 401 of an unknown object from that of a bad token. Reading: unknown-object */
export const UNKNOWN_OBJECT_CODE = 405

export interface Problem {
  /** A word for programs, where the kind of failure does not say enough. */
  readonly code?: string
  /** The field that it is about, if it is about one. */
  readonly field?: string
  readonly message: string
  /** What to do about it. */
  readonly hint?: string
  /** The command that does it, such as `jobs`. */
  readonly command?: string
}

/** A failure that the API's caller should see. Anything else that is thrown is our bug, and answers 500. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly problems: readonly Problem[]

  constructor(code: ErrorCode, problems: string | Problem | readonly Problem[], options?: ErrorOptions) {
    const list = typeof problems === 'string' ? [{ message: problems }] : [problems].flat()
    super(list.map(({ message }) => message).join(', '), options)
    this.code = code
    this.problems = list
  }
}
