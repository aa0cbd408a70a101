import { StorageError } from '../../engine/state/log.ts'

const SQLITE_FULL = 13
const SQLITE_DAMAGED = new Set([11, 26])

/** Runs what uses the store, and throws what goes wrong as StorageError. */
export function withStorageErrors<Result>(path: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw toStorageError(path, error)
  }
}

/** What goes wrong with a store, in words for its user. What is a bug stays what it is. */
export function toStorageError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageError) return error
  const code: unknown = Reflect.get(error, 'errcode')
  const primary = typeof code === 'number' ? code & 0xff : undefined
  if (primary === SQLITE_FULL || Reflect.get(error, 'code') === 'ENOSPC')
    return new StorageError('full', `Cannot write store "${path}": the disk is full`, { cause: error })
  if (primary !== undefined && SQLITE_DAMAGED.has(primary)) return damage(path, error.message, error)
  return new StorageError('failed', `Cannot use store "${path}": ${error.message}`, { cause: error })
}

/** What is in the file is not what was written. */
export function damage(path: string, detail: string, cause?: unknown): StorageError {
  const message = `Cannot read store "${path}": ${detail}; move the file away, or use another --data folder`
  return new StorageError('damaged', message, { cause })
}
