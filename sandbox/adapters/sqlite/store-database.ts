import type { DatabaseSync } from 'node:sqlite'
import type { Entry } from '../../engine/state/entries.ts'
import type { Store } from '../../engine/state/store.ts'
import { DEFAULT_WORLD, type WorldDirectory } from '../../engine/state/world-directory.ts'
import type { DatabaseParts } from './database-parts.ts'
import { MEMORY, openDatabase, SCRATCH } from './database.ts'
import { openDisk, type Disk } from './disk.ts'
import { createEraser } from './eraser.ts'
import { createGroupCommit, type GroupCommit, type Written } from './group-commit.ts'
import { createHeads } from './queries/heads.ts'
import { createWorlds } from './queries/worlds.ts'
import type { StoreHead } from './head-file.ts'
import { createSql, type Sql } from './sql.ts'
import { toScratchError, toStorageError, withStorageErrors } from './storage-errors.ts'
import { KEPT_STATES } from './store-loss.ts'
import { openStore } from './store.ts'
import { openWorldDirectory } from './world-directory.ts'
import { createWorldTables, type WorldTables } from './world-tables.ts'

/** A database with the default world and any others. */
export interface StoreDatabase {
  /** The worlds besides the default one. */
  readonly directory: WorldDirectory
  /** Opens the default world. */
  openDefault(): Store
  /** Once its worlds are closed. */
  close(): void
}

export interface DatabaseOptions {
  /** Runs a task after the work at hand. */
  readonly soon: (run: () => void) => void
  /** For tests: the disk of the database. */
  readonly openDisk?: typeof openDisk | (() => Disk | undefined)
}

/** What a row needs besides its body: its other columns, and its places in the indexes. */
const CHARACTERS_OF_A_ROW = 1_000

/**
 * Opens the database in a file, in memory (`MEMORY`) or in a file without a name (`SCRATCH`). Throws StorageError, and leaves the
 * file as it is.
 */
export function openStoreDatabase(path: string, options: DatabaseOptions): StoreDatabase {
  return withStorageErrors(path, () => open(path, options))
}

function open(path: string, { soon, openDisk: toDisk = openDisk }: DatabaseOptions): StoreDatabase {
  const isFile = path !== MEMORY && path !== SCRATCH
  const database = openDatabase(path)
  const sql = createSql(database)
  const disk = isFile || toDisk !== openDisk ? toDisk(path, database) : undefined
  const head = createHeads(sql).newest()
  // What a killed process has written need not be safe from a loss of power yet, and the next entries build on it.
  if (head.length > 0) disk?.syncNow(head)
  const worlds = createWorlds(sql)
  const opened = createOpenTables((number) => createWorldTables(sql, number, path))
  const commits = createCommits({ path, database, disk, soon, head, sql, opened })
  const eraser = createEraser(sql, commits, soon)
  const change = (write: () => void) =>
    commits.writeNow(() => {
      write()
      return { entries: 0, sum: 0, characters: 0 }
    })

  const parts: DatabaseParts = {
    path,
    commits,
    worlds,
    soon,
    openTables: opened.open,
    addDraft() {
      let number = 0
      change(() => (number = worlds.addState()))
      return opened.open(number)
    },
    write: opened.write,
    change,
    release: opened.release,
    erase: eraser.erase,
  }
  for (const number of worlds.drafts()) eraser.erase(number)

  return {
    directory: openWorldDirectory(parts, isFile ? path : undefined),
    openDefault() {
      const number = worlds.find(DEFAULT_WORLD)
      const tables = number === undefined ? parts.addDraft() : opened.open(number)
      if (number === undefined) change(() => worlds.add(DEFAULT_WORLD, tables.number))
      return openStore(parts, tables, DEFAULT_WORLD)
    },
    close() {
      eraser.stop()
      // What is in memory can be read until nobody has it any more.
      if (path !== MEMORY) closeAll(database, disk)
    },
  }
}

function closeAll(database: DatabaseSync, disk: Disk | undefined): void {
  disk?.closeWal()
  database.close()
  disk?.closeHead()
}

interface CommitParts {
  readonly path: string
  readonly database: DatabaseSync
  readonly disk: Disk | undefined
  readonly soon: DatabaseOptions['soon']
  readonly head: StoreHead
  readonly sql: Sql
  readonly opened: Pick<ReturnType<typeof createOpenTables>, 'save' | 'reload'>
}

function createCommits({ path, sql, opened, ...parts }: CommitParts): GroupCommit {
  const heads = createHeads(sql)
  return createGroupCommit({
    ...parts,
    beforeCommit(newest) {
      opened.save()
      heads.put(newest)
      heads.removeBefore(newest.length - KEPT_STATES)
    },
    afterRollback: opened.reload,
    toStorageError: (error) => (path === SCRATCH ? toScratchError(error) : toStorageError(path, error)),
  })
}

/** Opens a store with one world, which is closed with it. */
export function openSingleStore(path: string, options: DatabaseOptions): Store {
  const database = openStoreDatabase(path, options)
  try {
    const store = database.openDefault()
    return {
      ...store,
      get length() {
        return store.length
      },
      get problem() {
        return store.problem
      },
      close() {
        try {
          store.close()
        } finally {
          database.close()
        }
      },
    }
  } catch (error) {
    database.close()
    throw error
  }
}

/** The tables of the worlds that are open, and which of them the open transaction has changed. */
function createOpenTables(create: (number: number) => WorldTables) {
  const tablesByNumber = new Map<number, WorldTables>()
  const changed = new Set<WorldTables>()
  return {
    open(number: number): WorldTables {
      const tables = create(number)
      tablesByNumber.set(number, tables)
      return tables
    },
    release({ number }: WorldTables): void {
      tablesByNumber.delete(number)
    },
    write(tables: WorldTables, entries: readonly Entry[]): Written {
      changed.add(tables)
      let [sum, characters] = [0, 0]
      for (const entry of entries) {
        sum += tables.add(entry)
        characters += CHARACTERS_OF_A_ROW + entry.body.length
      }
      return { entries: entries.length, sum, characters }
    },
    save(): void {
      for (const tables of changed) tables.save()
      changed.clear()
    },
    reload(): void {
      changed.clear()
      for (const tables of tablesByNumber.values()) tables.reload()
    },
  }
}
