import { RefusedError } from '../client/requests.ts'

/** The same, but that nothing has an id is told with where ids are printed in full. Rejects with RefusedError. */
export async function hinting<Result>(
  asked: Promise<Result>,
  hint = 'give the whole id: "npx hookbench jobs --wide" and "npx hookbench job ID" print it',
): Promise<Result> {
  try {
    return await asked
  } catch (cause) {
    if (!(cause instanceof RefusedError) || cause.code !== 'not_found' || cause.hint !== undefined)
      throw cause
    const { message, code, field, misused } = cause
    throw new RefusedError(message, { cause, code, field, misused, hint })
  }
}
