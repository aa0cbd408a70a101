/** Returns true for an error from any JavaScript realm. In Jest, errors from Node modules belong to another realm. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]'
}

export function errorMessage(thrown: unknown): string {
  return isError(thrown) ? thrown.message : String(thrown)
}
