import { isError } from '../../../spec/errors.ts'
import { StorageError } from '../../engine/state/log.ts'
import type { PostgresPlace } from './place.ts'

/**
 * What PostgreSQL says that may be otherwise later: connections (08), a transaction that was not (25, as on a replica), rolled back (40),
 * resources (53), in use (55), shut down or starting (57), its own disk (58), and credentials or a database that are being changed.
 */
const PASSING = /^(08|25|28|3D|40|53|55|57|58)/
/** No rights, no such database. Before anything was read, its user is to mend that. */
const UNUSABLE = /^(28|3D|42501)/

/** What PostgreSQL, or the way to it, says. */
interface DriverError extends Error {
  readonly code?: string
}

/** What a statement failed with, in words for its user. What has no answer of PostgreSQL is about the connection. */
export function toStorageError({ shown }: PostgresPlace, error: unknown): unknown {
  if (!isError(error) || error instanceof StorageError) return error
  const state = sqlState(error)
  if (state === undefined || PASSING.test(state))
    return new StorageError('away', `Cannot reach PostgreSQL (${shown}): ${describe(error)}`, {
      cause: error,
      detail: describe(error),
    })
  return new StorageError('failed', `Cannot use PostgreSQL (${shown}): ${error.message}`, { cause: error })
}

/** The same where nothing was opened yet. */
export function toOpeningError(place: PostgresPlace, error: unknown): unknown {
  const cause = error instanceof StorageError ? error.cause : error
  if (!isError(cause) || !UNUSABLE.test(sqlState(cause) ?? '')) return toStorageError(place, error)
  const message = `Cannot use PostgreSQL (${place.shown}): ${cause.message}; look to the URL and the rights of its user`
  return new StorageError('unusable', message, { cause })
}

/** The five characters of an answer of PostgreSQL; undefined for what happened on the way. */
export function sqlState(error: unknown): string | undefined {
  if (!isError(error)) return undefined
  const { code, ...rest }: DriverError = Object.assign({}, error)
  return code !== undefined && 'severity' in rest ? code : undefined
}

/** Several addresses that were tried are one error without a message. */
function describe(error: Error): string {
  const first: unknown = 'errors' in error && Array.isArray(error.errors) ? error.errors[0] : error
  return isError(first) && first.message !== '' ? first.message : String(Reflect.get(error, 'code'))
}

/** A row that is not what was written, or is missing. */
export function damage(world: string, detail: string): StorageError {
  return new StorageError(
    'damaged',
    `Cannot read world "${world}" in PostgreSQL: ${detail}; put back a backup of the database, or remove the world`,
    { detail },
  )
}
