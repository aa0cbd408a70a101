/** The failures that an operation can declare. `error-bodies.ts` defines the HTTP response for each failure. */
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

/** The code in the body of a 401 response for an unknown object. A 401 for an invalid token has no code. Reading: unknown-object */
export const UNKNOWN_OBJECT_CODE = 405

export interface Problem {
  readonly code?: string
  readonly field?: string
  readonly message: string
  readonly hint?: string
  readonly command?: string
}

/** An error that is reported to the caller of the API. Any other error is a sandbox bug, and the response is a 500. */
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

export function refuseField(field: string, message: string): never {
  throw new ApiError('invalid', { field, message })
}

/** Returns the error for an unknown id. `command` is the command that lists the known ids. */
export function notFoundError(thing: string, id: string, command: string): ApiError {
  const message = `Cannot find ${thing} "${id}"`
  return new ApiError('not-found', { field: 'id', message, hint: 'list them', command })
}
