import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Entry, Head } from '../engine/state/entries.ts'
import { StorageError, type Log, type Outlived } from '../engine/state/log.ts'

const FORMAT = 2
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entries (position INTEGER PRIMARY KEY, head TEXT NOT NULL, body TEXT NOT NULL) STRICT;
`

/**
 * A log in one append-only table of a SQLite file in WAL mode. Throws StorageError `damaged` if the file is no such
 * database; the file is left as it is.
 */
export function openSqliteLog(path: string): Log {
  const { database, insert, select, all } = withStorageErrors(path, () => openStatements(path))
  let length = withStorageErrors(path, () => lastPosition(database))
  const outlive = createSynchronous(database)

  return {
    get length() {
      return length
    },
    append(entries, outlived = 'machine') {
      withStorageErrors(path, () => {
        outlive(outlived)
        appendAll(database, insert, { entries, length })
      })
      length += entries.length
    },
    replace(entries) {
      withStorageErrors(path, () => {
        outlive('machine')
        appendAll(database, insert, { entries, length: 0, after: 'DELETE FROM entries' })
      })
      length = entries.length
    },
    read(position) {
      const row = withStorageErrors(path, () => select.get(position))
      if (!row) throw new RangeError(`Cannot read entry ${position}: the log has ${length}`)
      return { head: parseHead(path, row['head'], position), body: String(row['body']) }
    },
    *heads() {
      const rows = all.iterate()
      for (let position = 1; ; position++) {
        const { done, value } = withStorageErrors(path, () => rows.next())
        if (done) return
        yield parseHead(path, value['head'], position)
      }
    },
    close() {
      database.close()
    },
  }
}

function openStatements(path: string) {
  const database = open(path)
  try {
    return {
      database,
      insert: database.prepare('INSERT INTO entries (position, head, body) VALUES (?, ?, ?)'),
      select: database.prepare('SELECT head, body FROM entries WHERE position = ?'),
      all: database.prepare('SELECT head FROM entries ORDER BY position'),
    }
  } catch (error) {
    database.close()
    throw error
  }
}

function open(path: string): DatabaseSync {
  const database = new DatabaseSync(path)
  try {
    refuseForeign(path, database)
    // EXCLUSIVE: one process a file, and no shared-memory file beside it.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
    database.exec(`BEGIN; ${SCHEMA} PRAGMA user_version = ${FORMAT}; COMMIT;`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** What the next commit outlives: in WAL mode, NORMAL leaves it to the operating system to write it, FULL waits for the disk. */
function createSynchronous(database: DatabaseSync): (outlived: Outlived) => void {
  let chosen: Outlived = 'machine'
  return (outlived) => {
    if (outlived === chosen) return
    database.exec(`PRAGMA synchronous = ${outlived === 'machine' ? 'FULL' : 'NORMAL'}`)
    chosen = outlived
  }
}

/** Nothing is written to a database that is not ours, or of another version. */
function refuseForeign(path: string, database: DatabaseSync): void {
  const version = database.prepare('PRAGMA user_version').get()?.['user_version']
  const tables = Number(database.prepare('SELECT count(*) AS tables FROM sqlite_master').get()?.['tables'])
  if (version === FORMAT || (version === 0 && tables === 0)) return
  const what =
    version === 0
      ? 'it is the database of another program'
      : `its format is ${String(version)}, this version reads ${FORMAT}`
  throw new StorageError('damaged', `Cannot open store "${path}": ${what}; use another --data folder`)
}

function lastPosition(database: DatabaseSync): number {
  return Number(database.prepare('SELECT coalesce(max(position), 0) AS last FROM entries').get()?.['last'])
}

interface Appending {
  readonly entries: readonly Entry[]
  /** How many come before them. */
  readonly length: number
  /** What is done first, in the same transaction. */
  readonly after?: string
}

function appendAll(
  database: DatabaseSync,
  insert: StatementSync,
  { entries, length, after = '' }: Appending,
): void {
  database.exec('BEGIN')
  try {
    database.exec(after)
    entries.forEach(({ head, body }, index) => insert.run(length + index + 1, JSON.stringify(head), body))
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function parseHead(path: string, text: unknown, position: number): Head {
  try {
    const head: unknown = JSON.parse(String(text))
    if (typeof head !== 'object' || head === null || !Number.isFinite(Reflect.get(head, 'at')))
      throw new TypeError('no head')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only appendAll writes heads
    return head as Head
  } catch (cause) {
    throw new StorageError('damaged', damagedMessage(path, `entry ${position} is not valid`), { cause })
  }
}

const SQLITE_FULL = 13
const SQLITE_DAMAGED = new Set([11, 26])

function withStorageErrors<Result>(path: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof Error) || error instanceof StorageError) throw error
    const code: unknown = Reflect.get(error, 'errcode')
    const primary = typeof code === 'number' ? code & 0xff : undefined
    if (primary === SQLITE_FULL) {
      throw new StorageError('full', `Cannot write store "${path}": the disk is full`, { cause: error })
    }
    if (primary !== undefined && SQLITE_DAMAGED.has(primary)) {
      throw new StorageError('damaged', damagedMessage(path, error.message), { cause: error })
    }
    throw new StorageError('failed', `Cannot use store "${path}": ${error.message}`, { cause: error })
  }
}

function damagedMessage(path: string, detail: string): string {
  return `Cannot read store "${path}": ${detail}; move the file away, or use another --data folder`
}
