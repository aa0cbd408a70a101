/**
 * An error without a code, because browsers hide the cause. The build replaces the terminal's module with
 * this one.
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
