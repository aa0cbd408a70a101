import type { Store } from '../../engine/state/store.ts'
import { DEFAULT_WORLD, type WorldDirectory } from '../../engine/state/world-directory.ts'
import { MEMORY, openDatabase, SCRATCH } from './database.ts'
import { openDisk, type Disk } from './disk.ts'
import { createEraser } from './eraser.ts'
import { createGroupCommit } from './group-commit.ts'
import { newestHead } from './queries/heads.ts'
import { createWorlds } from './queries/worlds.ts'
import { createSql } from './sql.ts'
import { toScratchError, toStorageError, withStorageErrors } from './storage-errors.ts'
import { openStore, type DatabaseParts } from './store.ts'
import { openWorldDirectory } from './world-directory.ts'
import { openWorld, type World } from './queries/world.ts'

/** A database with the default world and any others. */
export interface StoreDatabase {
  /** The worlds besides the default one. */
  readonly directory: WorldDirectory
  /** Opens the default world. */
  openDefault(): Store
  /** See `Store`. */
  confirmed(): Promise<void> | undefined
  /** Once its worlds are closed. */
  close(): void
}

export interface DatabaseOptions {
  /** Runs a task after the work at hand. */
  readonly soon: (run: () => void) => void
  /** Another disk: that of a standby, or of a test. */
  readonly openDisk?: typeof openDisk | (() => Disk | undefined)
}

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
  const disk = isFile || toDisk !== openDisk ? toDisk(path, database) : undefined
  const sql = createSql(database)
  const head = newestHead(sql)
  // What a killed process has written need not be safe from a loss of power yet, and the next entries build on it.
  if (head.length > 0) disk?.syncNow(head)

  const worlds = createWorlds(sql)
  const opened = new Set<World>()
  const commits = createGroupCommit({
    database,
    sql,
    disk,
    soon,
    beforeCommit: () => opened.forEach((world) => world.writeRest()),
    afterRollback: () => opened.forEach((world) => world.reload()),
    toStorageError: (error) => (path === SCRATCH ? toScratchError(error) : toStorageError(path, error)),
  })
  const eraser = createEraser(sql, commits, soon)
  const parts: DatabaseParts = {
    path,
    worlds,
    commits,
    soon,
    erase: eraser.erase,
    open(number) {
      const world = openWorld(sql, number, path)
      opened.add(world)
      return world
    },
    release: (world) => void opened.delete(world),
  }
  worlds.drafts().forEach(eraser.erase)

  return {
    directory: openWorldDirectory(parts, isFile ? path : undefined),
    openDefault() {
      if (worlds.numberOf(DEFAULT_WORLD) === undefined)
        commits.writeNow(() => worlds.add(DEFAULT_WORLD, worlds.addState()))
      return openStore(parts, parts.open(worlds.numberOf(DEFAULT_WORLD) ?? 0), DEFAULT_WORLD)
    },
    confirmed: commits.confirmed,
    close() {
      eraser.stop()
      // What is in memory can be read until nobody has it any more.
      if (path === MEMORY) return
      disk?.closeWal()
      database.close()
      disk?.closeHead()
    },
  }
}

/** Opens a store with one world, which is closed with it. */
export function openSingleStore(path: string, options: DatabaseOptions): Store {
  const database = openStoreDatabase(path, options)
  const closing = (run: () => void) => {
    try {
      run()
    } finally {
      database.close()
    }
  }
  try {
    const store = database.openDefault()
    const { close } = store
    return Object.assign(store, { close: () => closing(close) })
  } catch (error) {
    database.close()
    throw error
  }
}
