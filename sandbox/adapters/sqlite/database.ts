import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { commandLine, startSentence } from '../../engine/core/command-line.ts'
import { newestHead } from '../../engine/state/queries/heads.ts'
import { FORMAT, formatOf, migrate, OLD_FORMAT } from '../../engine/state/schema.ts'
import { createSql } from '../../engine/state/sql.ts'
import { StorageError } from '../../engine/state/storage-error.ts'
import { verifyStart } from '../../engine/state/verify.ts'
import { syncFolder } from '../files.ts'
import { findLoss } from './head-file.ts'
import { withStorageErrors } from './storage-errors.ts'

export const MEMORY = ':memory:'
export const SCRATCH = ''

export const isNamedFile = (path: string) => path !== MEMORY && path !== SCRATCH

/** The page size in bytes. Several rows fit on a page of this size, so little space is wasted. */
export const PAGE_BYTES = 8_192
const CACHE_KIB = 16_384

// EXCLUSIVE: one process per file, without a shared-memory file. NORMAL: a commit does not wait for the disk.
const OF_A_FILE = `
  PRAGMA locking_mode = EXCLUSIVE; PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${CACHE_KIB};`
const OF_THE_PROCESS = `PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB};`

export const LOSS_REMEDY =
  'restore the files of the store from a copy. Or start with --accept-loss, which continues with the remaining entries, and then restore a snapshot'

/** Opens a store. Throws StorageError and changes nothing if the file has another format, is damaged, or has lost entries. */
export function openDatabase(path: string): DatabaseSync {
  if (isNamedFile(path)) prepareFile(path)
  const database = new DatabaseSync(path)
  try {
    database.exec(isNamedFile(path) ? OF_A_FILE : OF_THE_PROCESS)
    // The first read creates the "-wal" file, which `openDisk` needs.
    const isVerified = formatOf(database) === FORMAT
    migrate(database)
    if (!isVerified) verifyStart(createSql(database), path)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function prepareFile(path: string): void {
  const { isNew, loss } = inspect(path)
  if (loss !== undefined)
    throw new StorageError('damaged', `Cannot open store "${path}": ${loss}. ${startSentence(LOSS_REMEDY)}`, {
      detail: loss,
    })
  if (isNew) makeStore(path)
}

/** Creates a store under another name and renames it. After a crash, the store is complete or the next start removes the draft. */
function makeStore(path: string): void {
  const [folder, name] = [dirname(path), basename(path)]
  const isDraft = (file: string) => file.startsWith(`${name}.`) && file.includes('.tmp')
  const removeDrafts = () =>
    readdirSync(folder)
      .filter(isDraft)
      .forEach((file) => rmSync(join(folder, file)))
  removeDrafts()
  const draft = `${path}.${randomUUID()}.tmp`
  try {
    // Only the owner can read the file. SQLite copies these permissions to its other files.
    closeSync(openSync(draft, 'a', 0o600))
    const database = new DatabaseSync(draft)
    try {
      database.exec(OF_A_FILE)
      migrate(database)
    } finally {
      database.close()
    }
    // After a power loss, a removed log could reappear at this path. SQLite would then apply the old log to the new database.
    for (const suffix of ['-wal', '-journal']) rmSync(path + suffix, { force: true })
    syncFolder(folder)
    renameSync(draft, path)
    syncFolder(folder)
  } catch (error) {
    removeDrafts()
    throw error
  }
}

interface Inspected {
  readonly isNew: boolean
  readonly isEmpty: boolean
  readonly loss: string | undefined
}

/** Inspects a store without changing it. Throws StorageError for a foreign or damaged store. */
export function inspect(path: string): Inspected {
  const found = withStore(path, (database, format) => {
    if (format === FORMAT) verifyStart(createSql(database), path)
    const isEmpty = newestHead(createSql(database)).length === 0
    return { isNew: false, isEmpty, loss: findLoss(path, database) }
  })
  return found ?? { isNew: true, isEmpty: true, loss: findLoss(path, undefined) }
}

/** Opens a store read-only, because a writable connection would checkpoint the WAL that a crash left. Throws StorageError. */
export function withStore<Result>(
  path: string,
  read: (database: DatabaseSync, format: number) => Result,
): Result | undefined {
  return withReadonlyDatabase(path, (database) => {
    const format = formatOf(database)
    if (format === 0 && tablesOf(database).length === 0) return undefined
    if (format <= OLD_FORMAT || format > FORMAT) throw foreignError(path, database)
    return read(database, format)
  })
}

/** Reads a database, then removes the files that SQLite has added. Returns undefined for a missing or empty file. */
function withReadonlyDatabase<Result>(
  path: string,
  read: (database: DatabaseSync) => Result,
): Result | undefined {
  if (!existsSync(path) || statSync(path).size === 0) return undefined
  const added = ['-shm', '-wal'].map((suffix) => path + suffix).filter((file) => !existsSync(file))
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return read(database)
  } finally {
    database.close()
    for (const file of added) rmSync(file, { force: true })
  }
}

function foreignError(path: string, database: DatabaseSync): StorageError {
  const format = formatOf(database)
  const reason =
    format <= OLD_FORMAT
      ? 'the file is the database of another program'
      : `the store has format ${format}, but this version reads only up to ${FORMAT}`
  const problem = isOld(database)
    ? `version 0.1.0 wrote the store, and no migration exists. Start over with "${commandLine('reset', dirname(path))}", or use`
    : `${reason}. Use`
  return new StorageError('damaged', `Cannot open store "${path}": ${problem} another --data folder`)
}

function tablesOf(database: DatabaseSync): readonly string[] {
  const rows = database.prepare('PRAGMA table_list').all()
  return rows.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite_'))
}

function isOld(database: DatabaseSync): boolean {
  const format = formatOf(database)
  return format > 0 && format <= OLD_FORMAT && tablesOf(database).includes('entries')
}

/** Returns true if version 0.1.0 wrote the store. Throws StorageError if the file is not a database. */
export function isOldStore(path: string): boolean {
  return withStorageErrors(path, () => withReadonlyDatabase(path, isOld)) ?? false
}

/** Removes a store of version 0.1.0. Removes the main file last, so that an interrupted removal can be repeated. */
export function removeOldStore(path: string): void {
  rmSync(join(dirname(path), 'worlds'), { recursive: true, force: true })
  for (const suffix of ['-shm', '-wal', '.head', '']) rmSync(path + suffix, { force: true })
  syncFolder(dirname(path))
}
