import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, read } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { formatOf } from '../../engine/state/schema.ts'
import { openDisk } from '../sqlite/disk.ts'
import type { Disk } from '../../engine/state/disk.ts'
import type { Holding } from './holding.ts'
import type { Postgres } from './postgres.ts'
import { addChunk, publishCopy, type Fence } from './rows.ts'

/** After so many bytes of changesets a copy is stored. */
const BYTES_OF_A_COPY = 67_108_864
const BYTES_OF_A_CHUNK = 1_048_576
const readSome = promisify(read)

export interface ShippingOptions {
  readonly db: Postgres
  readonly holding: Holding
  /** The format of the schema in the copy that PostgreSQL has; undefined if it has none. */
  readonly copiedFormat: number | undefined
  readonly bytesOfACopy?: number | undefined
  /** Called if a copy cannot be stored. The changesets stay, and it is tried again later. */
  readonly onError: (error: unknown) => void
}

/**
 * The disk of a store whose changes are durable when PostgreSQL has them. The local file is loaded anew at each start, so nobody waits
 * for the local disk.
 */
export function openShippedDisk(path: string, database: DatabaseSync, options: ShippingOptions): Disk {
  const { db, holding, copiedFormat, bytesOfACopy = BYTES_OF_A_COPY, onError } = options
  const disk = openDisk(path, database)
  const file = openCopiedFile(path, database, db)
  let session = database.createSession()
  let bytesSinceCopy = 0

  function takeChangeset(): Uint8Array {
    if (database.isTransaction) throw new Error('Cannot ship an open transaction')
    const bytes = session.changeset()
    session.close()
    session = database.createSession()
    bytesSinceCopy += bytes.length
    return bytes
  }

  // Changesets do not change the schema: the first one waits for a copy with it.
  const isCopied = copiedFormat === formatOf(database) || !file.settle()
  const first = isCopied ? Promise.resolve() : file.store(holding.fence())
  first.catch(holding.lose)

  return {
    ...disk,
    remote: holding,
    written(characters) {
      if (!file.isSettled()) disk.written(characters)
    },
    async sync() {
      const bytes = takeChangeset()
      await first
      if (bytes.length === 0) return
      const isDue = bytesSinceCopy >= bytesOfACopy && !file.isSettled() && file.settle()
      if (isDue) bytesSinceCopy = 0
      await holding.append(bytes)
      if (isDue) file.store(holding.fence()).catch((error: unknown) => holding.problem ?? onError(error))
    },
    syncNow() {},
    closeWal() {
      session.close()
      disk.closeWal()
    },
    closeHead() {
      file.close()
      disk.closeHead()
    },
  }
}

/** The database file, as it is copied to PostgreSQL. */
function openCopiedFile(path: string, database: DatabaseSync, db: Postgres) {
  // Open as long as the database is: to close it would end the locks that SQLite has on the file.
  const file = openSync(path, 'r')
  const moveAll = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  let isSettled = false

  return {
    isSettled: () => isSettled,
    /**
     * Makes the file exactly the state of the last commit, until the next checkpoint; false if a statement still reads. A backup() of
     * SQLite would take in later commits, and nobody could tell which.
     */
    settle(): boolean {
      const moved = moveAll.get()
      isSettled = moved?.['busy'] === 0 && moved['log'] === moved['checkpointed']
      return isSettled
    },
    /** Stores the settled file as the copy with so many changesets. */
    async store(fence: Fence): Promise<void> {
      const copy = randomUUID()
      const length = fstatSync(file).size
      try {
        for (let at = 0, chunk = 0; at < length; at += BYTES_OF_A_CHUNK, chunk++) {
          const bytes = Buffer.allocUnsafe(Math.min(BYTES_OF_A_CHUNK, length - at))
          await readSome(file, bytes, 0, bytes.length, at)
          await addChunk(db, { copy, chunk }, bytes)
        }
        await publishCopy(db, fence, copy)
      } finally {
        isSettled = false
      }
    },
    close: () => closeSync(file),
  }
}
