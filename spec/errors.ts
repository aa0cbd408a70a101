/**
 * Tells whether a value is an error, of this realm or of another: under Jest, what Node's own modules throw is no `Error` of the
 * realm that tests run in.
 */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]'
}

/** Returns the message of an error, or the text of any other value that was thrown. */
export function errorMessage(thrown: unknown): string {
  return isError(thrown) ? thrown.message : String(thrown)
}
