import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isError } from '../../../spec/errors.ts'
import { StorageError, type StorageErrorKind } from '../../engine/state/storage-error.ts'

const SQLITE_FULL = 13
const SQLITE_CONSTRAINT = 19
/** A statement that does not fit to the schema, a malformed file, and another kind of file. */
const SQLITE_DAMAGED = new Set([1, 11, 26])
/** No permission, busy, locked, read-only, cannot be opened, not authorized. */
const SQLITE_UNUSABLE = new Set([3, 5, 6, 8, 14, 23])
/** Extended codes: a write that failed, and a database that was moved away. */
const SQLITE_IOERR_WRITE = 778
const SQLITE_READONLY_DBMOVED = 1032
const OUT_OF_ROOM: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

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
  if (!isError(error) || error instanceof StorageError) return error
  const isOfDisk = Reflect.has(error, 'errcode') || Reflect.has(error, 'syscall')
  if (!isOfDisk || isConstraint(error)) return error
  const kind = kindOf(path, error)
  if (kind === 'damaged') return damage(path, error.message, error)
  return new StorageError(kind, DESCRIPTIONS[kind](path, error.message), { cause: error })
}

/** True for a row that breaks a rule of the schema. */
export function isConstraint(error: unknown): boolean {
  const code: unknown = isError(error) ? Reflect.get(error, 'errcode') : undefined
  return typeof code === 'number' && (code & 0xff) === SQLITE_CONSTRAINT
}

function kindOf(path: string, error: Error): Exclude<StorageErrorKind, 'away'> {
  const code: unknown = Reflect.get(error, 'errcode')
  if (typeof code !== 'number') return OUT_OF_ROOM.has(Reflect.get(error, 'code')) ? 'full' : 'failed'
  const primary = code & 0xff
  if (primary === SQLITE_FULL) return 'full'
  // SQLite does not say which error it was: a quota that is used up is one.
  if (code === SQLITE_IOERR_WRITE && !hasDiskSpace(path, 1)) return 'full'
  if (code === SQLITE_READONLY_DBMOVED) return 'gone'
  if (SQLITE_DAMAGED.has(primary)) return 'damaged'
  return SQLITE_UNUSABLE.has(primary) ? 'unusable' : 'failed'
}

/**
 * The same for a file without a name. If its disk is full, it cannot continue: even a read takes room.
 */
export function toScratchError(error: unknown): unknown {
  // SQLite prefers a folder that is not in memory.
  const folder = tmpdir() === '/tmp' && existsSync('/var/tmp') ? '/var/tmp' : tmpdir()
  const problem = toStorageError(join(folder, 'hookbench-scratch'), error)
  if (!(problem instanceof StorageError) || problem.kind !== 'full') return problem
  const message = `${problem.message}; name a folder with more room by TMPDIR`
  return new StorageError('failed', message, { cause: problem })
}

type Description = (path: string, detail: string) => string

const DESCRIPTIONS: { readonly [Kind in Exclude<StorageErrorKind, 'damaged' | 'away'>]: Description } = {
  full: (path) => `Cannot write store "${path}": the disk is full`,
  unusable: (path, detail) =>
    `Cannot use store "${path}": ${detail}; end what else uses it, make it and its folder writable, or give another folder with --data`,
  gone: (path) =>
    `Cannot write store "${path}": it is gone or was replaced while the sandbox ran; start the sandbox again`,
  failed: (path, detail) =>
    `Cannot write store "${path}": the disk failed (${detail}); look to the disk before you start the sandbox again`,
}

/** Whether the disk of the store takes so many more bytes. */
export function hasDiskSpace(path: string, bytes: number): boolean {
  const trial = `${path}.room`
  try {
    writeFileSync(trial, Buffer.alloc(bytes, 1))
    return true
  } catch (error) {
    return !OUT_OF_ROOM.has(isError(error) && Reflect.get(error, 'code'))
  } finally {
    rmSync(trial, { force: true })
  }
}

/** What is in the file is not what was written. */
export function damage(path: string, detail: string, cause?: unknown): StorageError {
  const name = basename(path)
  const message = `Cannot read store "${path}": ${detail}; move it, "${name}-wal" and "${name}.head" away, or use another --data folder`
  return new StorageError('damaged', message, { cause, detail })
}
