import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createHash } from 'node:crypto'
import { MEMORY } from '../../sandbox/adapters/sqlite/database.ts'
import type { Disk } from '../../sandbox/engine/state/disk.ts'
import {
  type DatabaseOptions,
  openSingleStore,
  openStoreDatabase,
} from '../../sandbox/adapters/sqlite/store-database.ts'
import type { Entry } from '../../sandbox/engine/state/entries.ts'
import { StorageError, type StorageErrorKind } from '../../sandbox/engine/state/storage-error.ts'
import type { Store } from '../../sandbox/engine/state/store.ts'
import type { WorldDirectory } from '../../sandbox/engine/state/world-directory.ts'
import type { Walk } from './walk.ts'

type Options = Partial<DatabaseOptions>

export const NO_DISK: Disk = {
  check() {},
  written() {},
  async sync() {},
  syncNow() {},
  recover() {},
  closeWal() {},
  closeHead() {},
}

const soon = (run: () => void) => queueMicrotask(run)

export function openMemoryStore(options: Options = {}): Store {
  return openSingleStore(MEMORY, { soon, ...options })
}

export function openFileStore(path: string, options: Options = {}): Store {
  return openSingleStore(path, { soon, ...options })
}

/** Creates a store whose default world can be opened repeatedly, as after a kill. */
export function createMemoryDatabase(options: Options = {}): { open(): Store } {
  const database = openStoreDatabase(MEMORY, { soon, ...options })
  return { open: () => database.openDefault() }
}

export function createMemoryWorlds(): WorldDirectory {
  return openStoreDatabase(MEMORY, { soon }).directory
}

export interface FailingDisk {
  open(): Store
  /** Makes all transactions fail, or only the transactions for which `applies` returns true. */
  fail(kind: StorageErrorKind, applies?: (entries: readonly Entry[]) => boolean): void
  /** Makes `sync` and `recover` fail, but not transactions. */
  failSyncs(kind: StorageErrorKind): void
  repair(): void
}

export function createFailingDisk(options: Options = {}): FailingDisk {
  let failure: { readonly kind: StorageErrorKind; applies(entries: readonly Entry[]): boolean } | undefined
  let syncFailure: StorageErrorKind | undefined

  function refuse(entries: readonly Entry[]): void {
    if (failure?.applies(entries)) throw new StorageError(failure.kind, `The store is ${failure.kind}`)
  }

  function refuseSync(): void {
    if (syncFailure) throw new StorageError(syncFailure, `The store is ${syncFailure}`)
  }

  function openDisk(_: string, database: DatabaseSync): Disk {
    let committed = 0
    return {
      ...NO_DISK,
      check() {
        if (!database.isTransaction) return
        refuse(entriesAfter(database, committed))
      },
      written() {
        committed = lastRow(database)
      },
      async sync() {
        if (syncFailure) await new Promise((resolve) => setImmediate(resolve))
        refuseSync()
      },
      syncNow: refuseSync,
      recover() {
        if (failure) refuse([])
        refuseSync()
      },
    }
  }

  const { open } = createMemoryDatabase({ openDisk, ...options })
  return {
    open,
    fail(kind, applies = () => true) {
      failure = { kind, applies: (entries) => entries.length === 0 || applies(entries) }
    },
    failSyncs(kind) {
      syncFailure = kind
    },
    repair() {
      failure = undefined
      syncFailure = undefined
    },
  }
}

/** Creates a database in memory that records the kinds of entries in each transaction. */
export function createWatchedDatabase({ sync = async () => {} } = {}): {
  open(): Store
  readonly writes: string[][]
} {
  const writes: string[][] = []
  function openDisk(_: string, database: DatabaseSync): Disk {
    let committed = 0
    return {
      ...NO_DISK,
      written() {
        const entries = entriesAfter(database, committed)
        if (entries.length > 0) writes.push(entries.map(({ head }) => head.kind))
        committed = lastRow(database)
      },
      sync,
    }
  }
  return { ...createMemoryDatabase({ openDisk }), writes }
}

/** Returns the entries after a row, including entries of the open transaction. */
function entriesAfter(database: DatabaseSync, row: number): readonly Entry[] {
  return toEntries(database.prepare('SELECT head, body FROM history WHERE rowid > ?').all(row))
}

/** Reads entries from their rows of the history. The stored body of a job has a mark in place of the changed object. */
export function toEntries(rows: readonly Readonly<Record<string, unknown>>[]): readonly Entry[] {
  let changed = ''
  return rows.map((row) => {
    const head: Entry['head'] = JSON.parse(String(row['head']))
    const body = String(row['body']).replace('\u0001', () => changed)
    if (head.kind === 'object') changed = body
    return { head, body }
  })
}

function lastRow(database: DatabaseSync): number {
  return Number(database.prepare('SELECT coalesce(max(rowid), 0) AS last FROM history').get()?.['last'])
}

export const STORE_SUFFIXES = ['', '-wal', '.head']

/** Copies the files of a store as a killed process would leave them. */
export function copyStoreFiles(path: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const suffix of STORE_SUFFIXES)
    if (existsSync(path + suffix)) cpSync(path + suffix, join(folder, basename(path) + suffix))
}

export function turnBit(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  writeFileSync(path, bytes)
}

/** Calls the function with a copy of the store, which another process may have open. */
export function withStoreCopy<Result>(path: string, use: (copy: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-copy-'))
  try {
    copyStoreFiles(path, folder)
    return use(join(folder, basename(path)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readStoredRows(path: string, query: string): readonly Record<string, unknown>[] {
  return withStoreCopy(path, (copy) => {
    const database = new DatabaseSync(copy)
    try {
      return database.prepare(query).all()
    } finally {
      database.close()
    }
  })
}

export interface Forged {
  // oxlint-disable-next-line typescript/no-explicit-any -- a forged snapshot may contain any value
  readonly [field: string]: any
}

/** Returns a changed snapshot with a valid checksum. */
export function forged(snapshot: Forged, changes: Forged): Forged {
  const whole: Forged = { ...snapshot, ...changes }
  const { format, version, clock, chance, readings, entries, requests } = whole
  const lists = [
    digest(entries.map(({ head, body }: Forged) => [sorted(head), body])),
    digest(requests.map(sorted)),
  ]
  const first = [format, version, sorted(clock), chance, sorted(readings), lists]
  return { ...whole, checksum: createHash('sha256').update(JSON.stringify(first)).digest('hex') }
}

function digest(items: readonly unknown[]): string {
  const hash = createHash('sha256')
  for (const item of items) hash.update(`${JSON.stringify(item)}\n`)
  return hash.digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, child]) => [key, sorted(child)])
}

const storeOf = ({ folder }: Pick<Walk, 'folder'>) => join(folder, 'store.sqlite')

export function storedWorlds(walk: Pick<Walk, 'folder'>): readonly string[] {
  return readStoredRows(storeOf(walk), 'SELECT name FROM worlds WHERE name NOT NULL ORDER BY name').map(
    ({ name }) => String(name),
  )
}

function worldTables(walk: Pick<Walk, 'folder'>): readonly string[] {
  const tables = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('worlds', 'heads')`
  return readStoredRows(storeOf(walk), tables).map(({ name }) => String(name))
}

/** Counts rows of removed or unfinished worlds. */
export function countRowsOfNoWorld(walk: Pick<Walk, 'folder'>): number {
  const drafts = 'SELECT count(*) AS rows FROM worlds WHERE name IS NULL'
  const counts = worldTables(walk).map(
    (table) =>
      `SELECT count(*) AS rows FROM ${table} WHERE world NOT IN (SELECT number FROM worlds WHERE name NOT NULL)`,
  )
  return readStoredRows(storeOf(walk), [drafts, ...counts].join(' UNION ALL ')).reduce(
    (sum, { rows }) => sum + Number(rows),
    0,
  )
}

/** Reads all stored rows of the worlds except the credentials. */
export function readAllButRecords(walk: Pick<Walk, 'folder'>): string {
  const tables = ['heads', ...worldTables(walk)].map((table) =>
    readStoredRows(storeOf(walk), `SELECT * FROM ${table}`),
  )
  return JSON.stringify([...tables, readStoredRows(storeOf(walk), 'SELECT name, number, pause FROM worlds')])
}
