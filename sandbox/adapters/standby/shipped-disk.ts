import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, read } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { formatOf } from '../../engine/state/schema.ts'
import { openDisk } from '../sqlite/disk.ts'
import { errorMessage } from '../../../spec/errors.ts'
import type { Disk } from '../../engine/state/disk.ts'
import { StorageError } from '../../engine/state/storage-error.ts'
import type { Holding } from './holding.ts'
import type { Postgres } from './postgres.ts'

/** The number of changeset bytes after which PostgreSQL gets a new copy of the database. */
const BYTES_OF_A_COPY = 67_108_864
const BYTES_OF_A_CHUNK = 1_048_576
const readSome = promisify(read)

export interface ShippingOptions {
  readonly db: Postgres
  readonly holding: Holding
  /** The schema format of the copy in PostgreSQL. Undefined if there is no copy. */
  readonly copiedFormat: number | undefined
  /** Called if a copy cannot be stored or PostgreSQL is unusable. The failed operation is retried. */
  readonly onError: (error: unknown) => void
}

/** Opens the disk of a store that sends its changes to PostgreSQL. The local file is not synced, because each start rebuilds it. */
export function openShippedDisk(path: string, database: DatabaseSync, options: ShippingOptions): Disk {
  const { db, holding, copiedFormat, onError } = options
  const { term } = holding
  // Disables syncs, because the sync of a large new file could take longer than the lease time.
  database.exec('PRAGMA synchronous = OFF')
  const disk = openDisk(path, database)
  const file = openCopiedFile(path, database, db)
  let session = database.createSession()
  let bytesSinceCopy = 0
  let isClosed = false

  // The first changeset must wait for a copy of the database, because changesets do not contain the schema.
  const isCopied = copiedFormat === formatOf(database)
  if (!isCopied && !file.settle()) throw new Error('Cannot copy a database that is being read')
  const first = isCopied ? Promise.resolve() : file.store(holding.fence())
  first.catch((error: unknown) => term.lose(errorMessage(error)))

  return {
    ...disk,
    isRemote: true,
    written(characters) {
      if (!file.isSettled()) disk.written(characters)
    },
    async sync() {
      if (database.isTransaction) throw new Error('Cannot ship an open transaction')
      const bytes = session.changeset()
      session.close()
      session = database.createSession()
      bytesSinceCopy += bytes.length
      // The checkpoint runs in the same turn of the event loop, so the file contains no later changes.
      const isDue = bytesSinceCopy >= BYTES_OF_A_COPY && !file.isSettled() && file.settle()
      if (isDue) bytesSinceCopy = 0
      await first
      if (bytes.length > 0) await holding.append(bytes)
      if (isDue)
        file.store(holding.fence()).catch((error: unknown) => isClosed || term.problem || onError(error))
    },
    syncNow() {},
    closeWal() {
      session.close()
      disk.closeWal()
    },
    closeHead() {
      // Aborts an unfinished copy. The previous copy stays complete.
      isClosed = true
      file.close()
      disk.closeHead()
    },
  }
}

/** Publishes a complete copy. Removes the other copies, and the changesets that the copy contains. */
const PUBLISH = `
  WITH fence AS (
    UPDATE hb.lease SET copy = $2, copy_position = $3
    WHERE holder = $1 AND $4 = (SELECT count(*) FROM hb.copies WHERE copy = $2) RETURNING 1
  ), changesets AS (
    DELETE FROM hb.changesets WHERE position <= $3 AND EXISTS (SELECT FROM fence)
  ), copies AS (
    DELETE FROM hb.copies WHERE copy <> $2 AND EXISTS (SELECT FROM fence)
  )
  SELECT 1 FROM fence`

function openCopiedFile(path: string, database: DatabaseSync, db: Postgres) {
  // The file stays open as long as the database, because closing the file would release SQLite's locks.
  const file = openSync(path, 'r')
  const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  let isSettled = false

  return {
    isSettled: () => isSettled,
    /** Freezes the database at the last commit until the next checkpoint. Returns false while another statement is reading. */
    settle(): boolean {
      const moved = checkpoint.get()
      isSettled = moved?.['busy'] === 0 && moved['log'] === moved['checkpointed']
      return isSettled
    },
    async store({ holder, position }: ReturnType<Holding['fence']>): Promise<void> {
      const copy = randomUUID()
      const length = fstatSync(file).size
      try {
        let chunks = 0
        for (let at = 0; at < length; at += BYTES_OF_A_CHUNK) {
          const bytes = Buffer.allocUnsafe(Math.min(BYTES_OF_A_CHUNK, length - at))
          await readSome(file, bytes, 0, bytes.length, at)
          if (!isSettled) break
          await db.query('INSERT INTO hb.copies VALUES ($1, $2, $3)', [copy, chunks++, bytes])
        }
        // Publishes the copy only if the file has not changed since the checkpoint. Closing the database would change the file.
        const [isPublished] = isSettled ? await db.query(PUBLISH, [holder, copy, position, chunks]) : []
        if (!isPublished)
          throw new StorageError('away', 'Cannot store a copy in PostgreSQL: it is not complete')
      } finally {
        isSettled = false
      }
    },
    close(): void {
      isSettled = false
      closeSync(file)
    },
  }
}
