import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../../engine/state/storage-error.ts'
import { formatOf } from '../../engine/state/schema.ts'
import { withStorageErrors } from '../sqlite/storage-errors.ts'
import type { Postgres } from './postgres.ts'
import { readChangesets, readChunk, type LeaseRow } from './rows.ts'

const CHANGESETS_AT_ONCE = 64

export type LocalCopy = ReturnType<typeof createLocalCopy>

/** The database file of a process that does not serve. It follows what PostgreSQL has. */
export function createLocalCopy(path: string, db: Postgres) {
  let database: DatabaseSync | undefined
  let position = 0

  /** Closes the file, which stays. */
  function close(): void {
    database?.close()
    database = undefined
  }

  async function load(copy: string, copyPosition: number): Promise<void> {
    close()
    removeStore(path)
    if (!(await download(path, db, copy))) return
    database = new DatabaseSync(path)
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF')
    position = copyPosition
  }

  /** Returns false behind the last one. */
  async function applySome(): Promise<boolean> {
    const changesets = database ? await readChangesets(db, position, CHANGESETS_AT_ONCE) : []
    if (!database || changesets.length === 0) return false
    database.exec('BEGIN')
    for (const changeset of changesets) {
      if (!database.applyChangeset(changeset))
        throw damage(`changeset ${position + 1} does not fit to the copy`)
      position++
    }
    database.exec('COMMIT')
    return true
  }

  return {
    close,
    /** The format of its schema; undefined where nothing was ever stored. */
    format: () => database && formatOf(database),
    /** Loads what PostgreSQL has. */
    async follow({ copy, copyPosition }: LeaseRow): Promise<void> {
      if (copy !== null && (!database || position < copyPosition)) await load(copy, copyPosition)
      while (await applySome());
    },
    /** Throws StorageError `damaged` unless everything is there. */
    check(lease: LeaseRow): void {
      if (lease.copy !== null && !database) throw damage('its copy is missing')
      if (lease.position !== position)
        throw damage(`changeset ${position + 1} of ${lease.position} is missing`)
    },
  }
}

/** Returns false if the holder of the lease has replaced the copy meanwhile. */
async function download(path: string, db: Postgres, copy: string): Promise<boolean> {
  const file = openSync(path, 'wx', 0o600)
  let chunk = 0
  try {
    for (
      let bytes = await readChunk(db, { copy, chunk });
      bytes;
      bytes = await readChunk(db, { copy, chunk })
    )
      chunk += writeChunk(path, file, bytes)
  } finally {
    closeSync(file)
  }
  return chunk > 0
}

function writeChunk(path: string, file: number, bytes: Uint8Array): number {
  withStorageErrors(path, () => writeSync(file, bytes))
  return 1
}

/** Removes a store with the files next to it. */
export function removeStore(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal', '.head']) rmSync(path + suffix, { force: true })
}

function damage(detail: string): StorageError {
  const remedy = 'Restore a backup of PostgreSQL, or start over with another ?schema= in the URL'
  return new StorageError('damaged', `Cannot load the store from PostgreSQL: ${detail}. ${remedy}`, {
    detail,
  })
}
