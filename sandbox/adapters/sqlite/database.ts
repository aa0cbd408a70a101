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
import { createHeads } from './queries/heads.ts'
import { createSql } from './sql.ts'
import { findLoss, lossError, verifyStart } from './store-loss.ts'

/** A database that ends with the process, in memory or in a file without a name. */
export const MEMORY = ':memory:'
export const SCRATCH = ''

/** Each takes the schema from one format to the next. */
const MIGRATIONS = ['0001-tables.sql']
/** The format of version 0.1.0, which cannot be migrated. */
const OLD_FORMAT = 3
const FORMAT = OLD_FORMAT + MIGRATIONS.length

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

/** Makes the tables in an empty database. */
export function defineSchema(database: DatabaseSync): void {
  migrate(database, OLD_FORMAT)
}

function migrate(database: DatabaseSync, from: number): void {
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
  if (path === MEMORY || path === SCRATCH) return openTemporary(path)
  const { isMade, format, loss } = inspect(path)
  if (loss !== undefined) throw lossError(path, loss)
  if (!isMade) makeStore(path)
  const database = new DatabaseSync(path)
  try {
    // EXCLUSIVE: one process a file, and no shared-memory file beside it. NORMAL: writers wait for the disk, and not here.
    database.exec(
      `PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${CACHE_KIB};`,
    )
    // The first read makes the "-wal" file, so that the disk of the store knows it.
    formatOf(database)
    if (isMade && format < FORMAT) {
      migrate(database, format)
      verifyStart(path, database)
    }
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function openTemporary(path: string): DatabaseSync {
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB};`)
  defineSchema(database)
  return database
}

/** Whole or not at all: whatever ends the process or the machine meanwhile leaves a draft at most, which the next start removes. */
function makeStore(path: string): void {
  const [folder, name] = [dirname(path), basename(path)]
  const isDraft = (file: string) => file.startsWith(`${name}.`) && file.includes('.tmp')
  for (const file of readdirSync(folder).filter(isDraft)) rmSync(join(folder, file))
  const draft = `${path}.${randomUUID()}.tmp`
  try {
    // For its owner only; what SQLite puts beside it has the same rights.
    closeSync(openSync(draft, 'a', 0o600))
    const database = new DatabaseSync(draft)
    try {
      database.exec('PRAGMA locking_mode = EXCLUSIVE')
      define(database)
    } finally {
      database.close()
    }
    removeChanges(path)
    renameSync(draft, path)
    syncFolder(folder)
  } catch (error) {
    for (const suffix of ['', '-journal', '-wal']) rmSync(draft + suffix, { force: true })
    throw error
  }
}

/** SQLite would take what is left of a database that was here before for changes of the one that comes here. */
function removeChanges(path: string): void {
  const left = ['-wal', '-journal'].map((suffix) => path + suffix).filter((file) => existsSync(file))
  for (const file of left) rmSync(file)
  // A loss of power must not bring them back beside it.
  if (left.length > 0) syncFolder(dirname(path))
}

/** What is closed then is on the disk. */
function define(database: DatabaseSync): void {
  database.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;`)
  defineSchema(database)
}

function formatOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
}

interface Inspected {
  /** False where there is nothing yet. */
  readonly isMade: boolean
  readonly format: number
  readonly isEmpty: boolean
  /** The entries that were synced and are gone, in a sentence. */
  readonly loss: string | undefined
}

/** Throws StorageError for a file that is not ours or damaged. */
function inspect(path: string): Inspected {
  const nothing = () => ({ isMade: false, format: FORMAT, isEmpty: true, loss: findLoss(path, undefined) })
  if (!existsSync(path) || statSync(path).size === 0) return nothing()
  return withUntouched(path, (database) => {
    refuseForeign(path, database)
    const format = formatOf(database)
    if (format === 0) return nothing()
    if (format === FORMAT) verifyStart(path, database)
    const isEmpty = createHeads(createSql(database)).newest().length === 0
    return { isMade: true, format, isEmpty, loss: findLoss(path, database) }
  })
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
 * it puts beside the file it takes away again.
 */
export function withUntouched<Result>(path: string, look: (database: DatabaseSync) => Result): Result {
  const added = ['-shm', '-wal'].map((suffix) => path + suffix).filter((file) => !existsSync(file))
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return look(database)
  } finally {
    database.close()
    for (const file of added) rmSync(file, { force: true })
  }
}

/** True if the database has no tables yet. */
export function isEmptyDatabase(database: DatabaseSync): boolean {
  return formatOf(database) === 0
}

/** Nothing is written to a database that is not ours, or of another version. */
export function refuseForeign(path: string, database: DatabaseSync): void {
  const version = formatOf(database)
  if ((version > OLD_FORMAT && version <= FORMAT) || (version === 0 && tablesOf(database).length === 0))
    return
  if (isOld(database)) throw oldStoreError(path)
  const what =
    version <= OLD_FORMAT
      ? 'it is the database of another program'
      : `its format is ${version}, and this version reads up to ${FORMAT}`
  throw new StorageError('damaged', `Cannot open store "${path}": ${what}; use another --data folder`)
}

function tablesOf(database: DatabaseSync): readonly string[] {
  const names = database.prepare('PRAGMA table_list').all()
  return names.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite_'))
}

/** True if version 0.1.0 wrote the store at this path. Throws StorageError for another kind of file. */
export function isOldStore(path: string): boolean {
  if (!existsSync(path) || statSync(path).size === 0) return false
  return withStorageErrors(path, () => withUntouched(path, isOld))
}

/** Removes the files of a store of version 0.1.0, and its other worlds. The store goes last: a kill leaves a store that is refused. */
export function removeOldStore(path: string): void {
  rmSync(join(dirname(path), 'worlds'), { recursive: true, force: true })
  for (const suffix of ['-shm', '-wal', '.head', '']) rmSync(path + suffix, { force: true })
  syncFolder(dirname(path))
}

function isOld(database: DatabaseSync): boolean {
  const format = formatOf(database)
  return format > 0 && format <= OLD_FORMAT && tablesOf(database).includes('entries')
}

/** Throws StorageError `unusable` for a store that the next start migrates. */
export function refuseEarlier(path: string, database: DatabaseSync): void {
  if (formatOf(database) === FORMAT) return
  throw new StorageError(
    'unusable',
    `Cannot verify store "${path}": an earlier version wrote it; start it once with "npx hookbench up"`,
  )
}

function oldStoreError(path: string): StorageError {
  const message = `Cannot open store "${path}": version 0.1.0 wrote it, and nothing is migrated from there; start over with "${commandLine('reset', dirname(path))}", or use another --data folder`
  return new StorageError('damaged', message)
}
