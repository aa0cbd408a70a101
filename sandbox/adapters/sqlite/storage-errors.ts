import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isError } from '../../../spec/errors.ts'
import { isConstraint } from '../../engine/state/sql.ts'
import { damage, StorageError, type StorageErrorKind } from '../../engine/state/storage-error.ts'

const SQLITE_FULL = 13
/** Result codes: an SQL error, a malformed file, or a file that is not a database. */
const SQLITE_DAMAGED = new Set([1, 11, 26])
/** Result codes: permission denied, busy, locked, read-only, cannot open, and not authorized. */
const SQLITE_UNUSABLE = new Set([3, 5, 6, 8, 14, 23])
/** Extended result codes for a failed write and for a moved database. */
const SQLITE_IOERR_WRITE = 778
const SQLITE_READONLY_DBMOVED = 1032
const OUT_OF_ROOM: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

export function withStorageErrors<Result>(path: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw toStorageError(path, error)
  }
}

/** Converts a store error to StorageError with a message for the user. Returns other errors unchanged, because they are bugs. */
export function toStorageError(path: string, error: unknown): unknown {
  if (!isError(error) || error instanceof StorageError) return error
  const isOfDisk = Reflect.has(error, 'errcode') || Reflect.has(error, 'syscall')
  if (!isOfDisk || isConstraint(error)) return error
  const kind = kindOf(path, error)
  if (kind === 'damaged') return damage(path, error.message, error)
  return new StorageError(kind, DESCRIPTIONS[kind](path, error.message), { cause: error })
}

function kindOf(path: string, error: Error): Exclude<StorageErrorKind, 'away'> {
  const code: unknown = Reflect.get(error, 'errcode')
  if (typeof code !== 'number') return OUT_OF_ROOM.has(Reflect.get(error, 'code')) ? 'full' : 'failed'
  const primary = code & 0xff
  if (primary === SQLITE_FULL) return 'full'
  // SQLite does not report the cause of a failed write. The disk may be full, or a quota may be exceeded.
  if (code === SQLITE_IOERR_WRITE && !hasDiskSpace(path, 1)) return 'full'
  if (code === SQLITE_READONLY_DBMOVED) return 'gone'
  if (SQLITE_DAMAGED.has(primary)) return 'damaged'
  return SQLITE_UNUSABLE.has(primary) ? 'unusable' : 'failed'
}

/** Converts errors about an unnamed temporary file. On a full disk, this file is unusable, because even reads need space. */
export function toScratchError(error: unknown): unknown {
  // Names /var/tmp in the message, because SQLite prefers it to /tmp.
  const folder = tmpdir() === '/tmp' && existsSync('/var/tmp') ? '/var/tmp' : tmpdir()
  const problem = toStorageError(join(folder, 'hookbench-scratch'), error)
  if (!(problem instanceof StorageError) || problem.kind !== 'full') return problem
  const message = `${problem.message}. Set TMPDIR to a folder with more disk space`
  return new StorageError('failed', message, { cause: problem })
}

type Description = (path: string, detail: string) => string

const DESCRIPTIONS: { readonly [Kind in Exclude<StorageErrorKind, 'damaged' | 'away'>]: Description } = {
  full: (path) => `Cannot write store "${path}": the disk is full`,
  unusable: (path, detail) =>
    `Cannot use store "${path}": ${detail}. Stop other programs that use the store, make the store and its folder writable, or give another folder with --data`,
  gone: (path) =>
    `Cannot write store "${path}": the file was deleted or replaced while the sandbox ran. Start the sandbox again`,
  failed: (path, detail) =>
    `Cannot write store "${path}": the disk failed (${detail}). Check the disk before you start the sandbox again`,
}

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
