/**
 * Why there is no answer, as far as a browser says it: its errors have no codes. The build puts this module in place of the one that
 * knows what helps in a terminal.
 */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

export function noAnswer(url: string, cause: unknown): UnreachableError {
  return new UnreachableError(`There is no answer from ${url}`, { cause })
}

export function notSandbox(attempt: string, state: string): UnreachableError {
  return new UnreachableError(`Cannot ${attempt}: ${state}`)
}
