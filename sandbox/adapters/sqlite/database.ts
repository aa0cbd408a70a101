import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readPackageFile } from '../../../spec/package-files.ts'
import { commandLine } from '../../engine/core/command-line.ts'
import { StorageError } from '../../engine/state/storage-error.ts'
import { syncFolder } from '../files.ts'
import { readHead, removeHead } from './head-file.ts'
import { withStorageErrors } from './storage-errors.ts'
import { newestHead } from './queries/heads.ts'
import { createSql } from './sql.ts'
import { findLoss, lossError, verifyStart } from './store-loss.ts'

/** A database that ends with the process, in memory or in a file without a name. */
export const MEMORY = ':memory:'
export const SCRATCH = ''

/** Each takes the schema from one format to the next. */
const MIGRATIONS = ['0001-tables.sql']
/** The format of version 0.1.0, which cannot be migrated. */
const OLD_FORMAT = 3
export const FORMAT = OLD_FORMAT + MIGRATIONS.length

/** A page holds some rows, so that little room is lost at its end. */
export const PAGE_BYTES = 8_192
/** What SQLite keeps in memory, in KiB. */
const CACHE_KIB = 16_384

let migrations: readonly string[] | undefined

function readMigrations(): readonly string[] {
  migrations ??= MIGRATIONS.map((name) => {
    const text = readPackageFile(`sandbox/adapters/sqlite/schema/${name}`)
    if (text === undefined) throw new Error(`Cannot find ${name} in the package: install it again`)
    return text
  })
  return migrations
}

/** Takes the tables from a format to the present one. An empty database has the format 0. */
export function migrate(database: DatabaseSync, from: number): void {
  for (const [index, migration] of readMigrations().entries()) {
    if (OLD_FORMAT + index < from) continue
    database.exec(`BEGIN; ${migration} PRAGMA user_version = ${OLD_FORMAT + index + 1}; COMMIT;`)
  }
}

/**
 * Opens the file of a store, or makes it. Throws StorageError for a file that is not ours or damaged, or that has lost entries, and
 * leaves it as it is.
 */
export function openDatabase(path: string): DatabaseSync {
  const isFile = path !== MEMORY && path !== SCRATCH
  const { format, loss } = isFile ? inspect(path) : { format: 0, loss: undefined }
  if (loss !== undefined) throw lossError(path, loss)
  if (isFile && format === 0) makeStore(path)
  const database = new DatabaseSync(path)
  try {
    database.exec(isFile ? OF_A_FILE : OF_THE_PROCESS)
    // The first read makes the "-wal" file, so that the disk of the store knows it.
    const present = formatOf(database)
    migrate(database, present)
    if (isFile && present < FORMAT) verifyStart(path, database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

// EXCLUSIVE: one process a file, and no shared-memory file beside it. NORMAL: writers wait for the disk, and not here.
const OF_A_FILE = `
  PRAGMA locking_mode = EXCLUSIVE; PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${CACHE_KIB};`
const OF_THE_PROCESS = `PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB};`

/** Makes a draft and renames it: after a kill or a loss of power there is a whole store, or a draft that the next start removes. */
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
    // For its owner only. SQLite gives the files beside it the same rights.
    closeSync(openSync(draft, 'a', 0o600))
    const database = new DatabaseSync(draft)
    try {
      database.exec(OF_A_FILE)
      migrate(database, 0)
    } finally {
      database.close()
    }
    removeChanges(path)
    renameSync(draft, path)
    syncFolder(folder)
  } catch (error) {
    removeDrafts()
    throw error
  }
}

/** SQLite would apply the changes of an earlier database at this path to the new one. */
function removeChanges(path: string): void {
  for (const suffix of ['-wal', '-journal']) rmSync(path + suffix, { force: true })
  // A loss of power must not bring them back.
  syncFolder(dirname(path))
}

export function formatOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
}

interface Inspected {
  /** 0 where there is nothing yet. */
  readonly format: number
  readonly isEmpty: boolean
  /** The entries that were synced and are gone, in a sentence. */
  readonly loss: string | undefined
}

/** Throws StorageError for a file that is not ours or damaged. */
function inspect(path: string): Inspected {
  const nothing = () => ({ format: 0, isEmpty: true, loss: findLoss(path, undefined) })
  const found = withUntouched(path, (database) => {
    const format = readFormat(path, database)
    if (format === 0) return nothing()
    if (format === FORMAT) verifyStart(path, database)
    const isEmpty = newestHead(createSql(database)).length === 0
    return { format, isEmpty, loss: findLoss(path, database) }
  })
  return found ?? nothing()
}

/** Accepts that entries are lost: the next start goes on with the rest. Returns the loss; undefined if there is none. */
export function acceptLoss(path: string): string | undefined {
  const { loss } = withStorageErrors(path, () => inspect(path))
  if (loss !== undefined) removeHead(path)
  return loss
}

/** Whether a loss before the next start cannot be noticed: the store has entries, and no file states which ones. */
export function isUnguarded(path: string): boolean {
  return readHead(path) === undefined && !withStorageErrors(path, () => inspect(path)).isEmpty
}

/**
 * Looks through a connection that cannot write: one that can moves what a crash has left, even if it is closed at once. What
 * it puts beside the file it takes away again. Returns undefined if there is nothing in the file.
 */
export function withUntouched<Result>(
  path: string,
  look: (database: DatabaseSync) => Result,
): Result | undefined {
  if (!existsSync(path) || statSync(path).size === 0) return undefined
  const added = ['-shm', '-wal'].map((suffix) => path + suffix).filter((file) => !existsSync(file))
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return look(database)
  } finally {
    database.close()
    for (const file of added) rmSync(file, { force: true })
  }
}

/** Returns 0 if there are no tables yet. Throws StorageError if the database is not ours, or of another version. */
export function readFormat(path: string, database: DatabaseSync): number {
  const format = formatOf(database)
  if ((format > OLD_FORMAT && format <= FORMAT) || (format === 0 && tablesOf(database).length === 0))
    return format
  if (isOld(database))
    throw new StorageError(
      'damaged',
      `Cannot open store "${path}": version 0.1.0 wrote it, and nothing is migrated from there; start over with "${commandLine('reset', dirname(path))}", or use another --data folder`,
    )
  const what =
    format <= OLD_FORMAT
      ? 'it is the database of another program'
      : `its format is ${format}, and this version reads up to ${FORMAT}`
  throw new StorageError('damaged', `Cannot open store "${path}": ${what}; use another --data folder`)
}

function tablesOf(database: DatabaseSync): readonly string[] {
  const rows = database.prepare('PRAGMA table_list').all()
  return rows.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite_'))
}

/** True if version 0.1.0 wrote the store at this path. Throws StorageError for another kind of file. */
export function isOldStore(path: string): boolean {
  return withStorageErrors(path, () => withUntouched(path, isOld)) ?? false
}

function isOld(database: DatabaseSync): boolean {
  const format = formatOf(database)
  return format > 0 && format <= OLD_FORMAT && tablesOf(database).includes('entries')
}

/** Removes the files of a store of version 0.1.0, and its other worlds. The store goes last: a kill leaves a store that is refused. */
export function removeOldStore(path: string): void {
  rmSync(join(dirname(path), 'worlds'), { recursive: true, force: true })
  for (const suffix of ['-shm', '-wal', '.head', '']) rmSync(path + suffix, { force: true })
  syncFolder(dirname(path))
}
