import { appendFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { StorageError } from '../../engine/state/storage-error.ts'
import { formatOf } from '../../engine/state/schema.ts'
import { withStorageErrors } from '../sqlite/storage-errors.ts'
import type { Postgres } from './postgres.ts'
import { readLease, type LeaseRow } from './tables.ts'

export type LocalCopy = ReturnType<typeof createLocalCopy>

/** Creates the database file of a standby. Replaces an earlier file. */
export function createLocalCopy(path: string, db: Postgres) {
  let database: DatabaseSync | undefined
  let position = 0
  removeStore(path)

  function close(): void {
    database?.close()
    database = undefined
  }

  async function loadCopy(copy: string, copyPosition: number): Promise<void> {
    close()
    removeStore(path)
    await download(path, db, copy)
    // The lease holder can replace the copy and remove its chunks at any time.
    if ((await readLease(db)).copy !== copy) return
    database = new DatabaseSync(path)
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536')
    position = copyPosition
  }

  /** Applies the next changesets. Returns false if no changeset is left. */
  async function applySome(): Promise<boolean> {
    const loaded = database
    if (!loaded) return false
    const rows = await db.query<{ position: number; bytes: Uint8Array }>(
      'SELECT position::float8, bytes FROM hb.changesets WHERE position > $1 ORDER BY position LIMIT 64',
      [position],
    )
    if (rows[0]?.position !== position + 1) return false
    loaded.exec('BEGIN')
    for (const row of rows) {
      if (!withStorageErrors(path, () => loaded.applyChangeset(row.bytes)))
        throw damage(`changeset ${row.position} does not match the copy`)
      position = row.position
      // Lets other work run, such as extending the lease.
      await nextTurn()
    }
    withStorageErrors(path, () => loaded.exec('COMMIT'))
    return true
  }

  /** Loads the newest copy and applies the later changesets. */
  async function follow({ copy, copyPosition }: LeaseRow): Promise<void> {
    if (copy !== null && (!database || position < copyPosition)) await loadCopy(copy, copyPosition)
    while (await applySome());
  }

  return {
    close,
    /** Returns the schema format. Undefined for an empty store. */
    format: () => database && formatOf(database),
    follow,
    /** Applies the changesets up to the position of the lease. Rejects with StorageError `damaged` if a changeset is missing. */
    async load(lease: LeaseRow): Promise<void> {
      await follow(lease)
      if (position === lease.position) return
      throw damage(`changeset ${position + 1} of ${lease.position} is missing`)
    },
  }
}

async function download(path: string, { query }: Postgres, copy: string): Promise<void> {
  for (let chunk = 0; ; chunk++) {
    const sql = 'SELECT bytes FROM hb.copies WHERE copy = $1 AND chunk = $2'
    const [row] = await query<{ bytes: Uint8Array }>(sql, [copy, chunk])
    if (!row) return
    withStorageErrors(path, () => appendFileSync(path, row.bytes, { mode: 0o600 }))
  }
}

function removeStore(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal', '.head']) rmSync(path + suffix, { force: true })
}

function damage(detail: string): StorageError {
  const remedy = 'Restore a backup of PostgreSQL, or start over with another ?schema= in the URL'
  const message = `Cannot load the store from PostgreSQL: ${detail}. ${remedy}`
  return new StorageError('damaged', message, { detail })
}
