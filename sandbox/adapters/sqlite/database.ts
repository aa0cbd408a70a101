import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../../engine/state/log.ts'
import { syncFolder } from '../files.ts'
import { readHead, removeHead, type StoreHead } from './head-file.ts'
import { withStorageErrors } from './storage-errors.ts'
import { EMPTY, findLoss, lossError, readContents } from './store-loss.ts'
import { readShapes } from './stored-shapes.ts'
import { verifyEntries } from './verify-entries.ts'

const FORMAT = 3

/** A page holds some entries, so that little room is lost at its end. */
export const PAGE_BYTES = 16_384
/** A table of entries; others than `entries` are aside, and are gone at the next start. */
export const entryTable = (name: string) => `
  CREATE TABLE ${name} (
    position INTEGER PRIMARY KEY, head_sum INTEGER NOT NULL, body_sum INTEGER NOT NULL, head TEXT NOT NULL, body TEXT NOT NULL
  ) STRICT;
`
const SCHEMA = `
  ${entryTable('entries')}
  CREATE TABLE shapes (id INTEGER PRIMARY KEY, names TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;
  CREATE TABLE checkpoints (
    position INTEGER PRIMARY KEY, head_sum INTEGER NOT NULL, bytes_sum INTEGER NOT NULL, bytes BLOB NOT NULL
  ) STRICT;
`

/** Where SQLite makes files without a name, unless it was told another place: on a disk rather than in memory. */
export function scratchFolder(): string {
  const folder = tmpdir()
  return folder === '/tmp' && existsSync('/var/tmp') ? '/var/tmp' : folder
}

/** A file without a name, which SQLite removes as it makes it, and writes to only when its cache is full. */
export function openScratchDatabase(): DatabaseSync {
  const database = new DatabaseSync('')
  // Nobody opens it after a crash. A write that fails is taken back.
  define(database, 'MEMORY')
  return database
}

interface OpenDatabase {
  readonly database: DatabaseSync
  readonly contents: StoreHead
}

/**
 * Opens the file of a store, or makes it. Throws StorageError for a file that is not ours or damaged, or that has lost entries, and
 * leaves it as it is.
 */
export function openDatabase(path: string): OpenDatabase {
  const isInMemory = path === ':memory:'
  const { contents, isMade, loss } = isInMemory ? MADE_IN_MEMORY : inspect(path)
  if (loss !== undefined) throw lossError(path, loss)
  if (!isMade) makeStore(path)
  const database = new DatabaseSync(path)
  try {
    // EXCLUSIVE: one process a file, and no shared-memory file beside it. NORMAL: who writes waits for the disk, and not here.
    database.exec('PRAGMA locking_mode = EXCLUSIVE')
    if (isInMemory) define(database)
    else database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;')
    dropTablesAside(database)
    return { database, contents }
  } catch (error) {
    database.close()
    throw error
  }
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
function define(database: DatabaseSync, journal: 'WAL' | 'MEMORY' = 'WAL'): void {
  database.exec(
    `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = ${journal}; PRAGMA synchronous = NORMAL;`,
  )
  database.exec(`BEGIN; ${SCHEMA} PRAGMA user_version = ${FORMAT}; COMMIT;`)
}

/** What is left of a world that was to take the place of another, or that gave its place up. */
function dropTablesAside(database: DatabaseSync): void {
  const aside = database.prepare(`SELECT name FROM sqlite_master WHERE name GLOB 'aside_*'`).all()
  for (const { name } of aside) database.exec(`DROP TABLE ${String(name)}`)
}

function formatOf(database: DatabaseSync): unknown {
  return database.prepare('PRAGMA user_version').get()?.['user_version']
}

interface Inspected {
  readonly contents: StoreHead
  /** False where there is nothing yet. */
  readonly isMade: boolean
  /** The entries that were synced and are gone, in a sentence. */
  readonly loss: string | undefined
}

const MADE_IN_MEMORY: Inspected = { contents: EMPTY, isMade: true, loss: undefined }

/** Throws StorageError for a file that is not ours or damaged. */
function inspect(path: string): Inspected {
  const nothing = () => ({ contents: EMPTY, isMade: false, loss: findLoss(path, EMPTY) })
  if (!existsSync(path) || statSync(path).size === 0) return nothing()
  return withUntouched(path, (database) => {
    refuseForeign(path, database)
    if (formatOf(database) !== FORMAT) return nothing()
    readShapes(path, database)
    const contents = readContents(path, database)
    verifyEntries(path, database)
    return { contents, isMade: true, loss: findLoss(path, contents, database) }
  })
}

/** Lets the next start go on with what is left of a store. Returns the loss in a sentence; undefined if there is none. */
export function acceptLoss(path: string): string | undefined {
  const { loss } = withStorageErrors(path, () => inspect(path))
  if (loss !== undefined) removeHead(path)
  return loss
}

/** Whether a loss before the next start cannot be noticed: the store has entries, and no file states which ones. */
export function isUnguarded(path: string): boolean {
  return readHead(path) === undefined && withStorageErrors(path, () => inspect(path)).contents.length > 0
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

/** Nothing is written to a database that is not ours, or of another version. */
export function refuseForeign(path: string, database: DatabaseSync): void {
  const version = formatOf(database)
  const tables = Number(database.prepare('SELECT count(*) AS tables FROM sqlite_master').get()?.['tables'])
  if (version === FORMAT || (version === 0 && tables === 0)) return
  const what =
    version === 0
      ? 'it is the database of another program'
      : `its format is ${String(version)}, this version reads ${FORMAT}`
  throw new StorageError('damaged', `Cannot open store "${path}": ${what}; use another --data folder`)
}

/** Runs it as one transaction. */
export function transact(database: DatabaseSync, run: () => void): void {
  database.exec('BEGIN')
  try {
    run()
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
