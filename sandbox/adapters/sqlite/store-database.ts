import type { Disk } from '../../engine/state/disk.ts'
import { createGroupCommit, type GroupCommit } from '../../engine/state/group-commit.ts'
import { newestHead } from '../../engine/state/queries/heads.ts'
import { openStoredWorld, type StoredWorld } from '../../engine/state/queries/world.ts'
import { removeSomeRows } from '../../engine/state/queries/world-rows.ts'
import { createWorlds } from '../../engine/state/queries/worlds.ts'
import { createSql, type Sql } from '../../engine/state/sql.ts'
import { openStore, type DatabaseParts, type Store } from '../../engine/state/store.ts'
import { openWorldDirectory } from '../../engine/state/world-directory.ts'
import { DEFAULT_WORLD } from '../../engine/state/world-record.ts'
import { isNamedFile, MEMORY, openDatabase, SCRATCH } from './database.ts'
import { openDisk } from './disk.ts'
import { toScratchError, toStorageError, withStorageErrors } from './storage-errors.ts'

export interface DatabaseOptions {
  readonly soon: (run: () => void) => void
  readonly openDisk?: typeof openDisk | (() => Disk | undefined)
}

export type StoreDatabase = ReturnType<typeof open>

/** Opens a file, `MEMORY` or `SCRATCH` (an unnamed temporary file). On failure, throws StorageError and changes nothing. */
export function openStoreDatabase(path: string, options: DatabaseOptions): StoreDatabase {
  return withStorageErrors(path, () => open(path, options))
}

function open(path: string, { soon, openDisk: toDisk = openDisk }: DatabaseOptions) {
  const database = openDatabase(path)
  const disk = isNamedFile(path) || toDisk !== openDisk ? toDisk(path, database) : undefined
  const toError = (error: unknown) => (path === SCRATCH ? toScratchError(error) : toStorageError(path, error))
  const sql = createSql(database, toError)
  // Syncs the changes that a killed process left behind, because new entries depend on these changes.
  if (newestHead(sql).length > 0) disk?.syncNow(newestHead(sql))

  const worlds = createWorlds(sql)
  const opened = new Set<StoredWorld>()
  const commits = createGroupCommit({
    database,
    sql,
    disk,
    isInMemory: path === MEMORY && !disk,
    soon,
    beforeCommit: () => opened.forEach((world) => world.writeRest()),
    afterRollback: () => opened.forEach((world) => world.reload()),
    toStorageError: toError,
  })
  const eraser = createEraser(sql, commits, soon)
  const parts: DatabaseParts = {
    path,
    worlds,
    commits,
    soon,
    erase: eraser.erase,
    open(number) {
      const world = openStoredWorld(sql, number, path)
      opened.add(world)
      return world
    },
    release: (world) => void opened.delete(world),
  }
  worlds.drafts().forEach(eraser.erase)

  return {
    directory: openWorldDirectory(parts),
    openDefault(): Store {
      if (worlds.numberOf(DEFAULT_WORLD) === undefined)
        commits.writeNow(() => worlds.add(worlds.addDraft(), DEFAULT_WORLD))
      return openStore(parts, parts.open(worlds.numberOf(DEFAULT_WORLD) ?? 0), DEFAULT_WORLD)
    },
    /** Resolves when PostgreSQL has stored all visible changes. Undefined if there is no standby. Rejects with StorageError. */
    confirmed: commits.confirmed,
    /** Closes the database. Close the worlds of the database first. */
    close(): void {
      eraser.stop()
      // An in-memory database stays open, because readers may still use it.
      if (path === MEMORY) return
      disk?.closeWal()
      database.close()
      disk?.closeHead()
    },
  }
}

/** The estimated size of a batch of removed rows. */
const WRITTEN = { entries: 0, sum: 0, characters: 128_000 }

/** Removes worlds in small batches. If all rows were removed at once, the removal could block the process for a second. */
function createEraser(sql: Sql, commits: GroupCommit, soon: (run: () => void) => void) {
  let isStopped = false

  async function erase(number: number): Promise<void> {
    await new Promise<void>((resolve) => soon(resolve))
    if (isStopped) return
    let isOver = false
    await commits.add(() => {
      isOver = !removeSomeRows(sql, number)
      if (isOver) createWorlds(sql).removeRow(number)
      commits.note(WRITTEN)
    }, 'process')
    if (!isOver) await erase(number)
  }

  return {
    /** Removes the rows of a world in batches. If the process stops in the meantime, the next start removes the remaining rows. */
    erase: (number: number) => void erase(number).catch(() => {}),
    /** Stops, and commits the removals so far, so that the database can be closed. */
    stop(): void {
      isStopped = true
      commits.commitNow()
    },
  }
}

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
