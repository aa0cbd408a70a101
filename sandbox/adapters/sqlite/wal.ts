import { closeSync, fdatasync, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { isError } from '../../../spec/errors.ts'
import { StorageError } from '../../engine/state/storage-error.ts'
import { PAGE_BYTES } from './database.ts'
import { toStorageError } from './storage-errors.ts'

/** SQLite's own number. */
const PAGES_OF_A_CHECKPOINT = 1_000
/** The pages that a write changes besides the pages that it fills. */
const PAGES_OF_A_WRITE = 2
const BYTES_AT_ONCE = 1_048_576
const SQLITE_IOERR_FSYNC = 1_034

const syncFile = promisify(fdatasync)

/** Opens the write-ahead log of the database at this path. It exists as long as the database is open. */
export function openWal(path: string, database: DatabaseSync) {
  const descriptor = openSync(`${path}-wal`, 'r+')
  // SQLite's own checkpoints hide a disk that fails: at the next one it would take lost data for kept.
  database.exec('PRAGMA wal_autocheckpoint = 0')
  const moveSome = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  const moveAll = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)')
  let pages = 0
  let users = 1

  function release(): void {
    if (--users === 0) closeSync(descriptor)
  }

  return {
    /** Resolves when everything written so far is on the disk. Other work continues meanwhile. */
    async sync(): Promise<void> {
      users++
      await syncFile(descriptor).finally(release)
    },
    syncNow: () => fdatasyncSync(descriptor),
    /**
     * After a write of so many characters: moves what is in the file to the database, now and then. Throws StorageError if the disk
     * fails at it; if the disk is full, it is done later.
     */
    written(characters: number): void {
      pages += PAGES_OF_A_WRITE + Math.ceil(characters / PAGE_BYTES)
      if (pages < PAGES_OF_A_CHECKPOINT) return
      pages = 0
      try {
        moveSome.get()
      } catch (error) {
        const problem = toStorageError(path, error)
        if (!(problem instanceof StorageError && problem.kind === 'full')) throw problem
      }
    },
    /**
     * After a failed sync the next one can succeed without the data. Writes the whole file again where it stands, waits for the disk,
     * and only then moves everything: a loss of power in between would leave the database with a part.
     */
    writeAgain(): void {
      const bytes = Buffer.alloc(BYTES_AT_ONCE)
      for (let at = 0, count = 1; count > 0; at += count) {
        count = readSync(descriptor, bytes, 0, bytes.length, at)
        if (count > 0) writeSync(descriptor, bytes, 0, count, at)
      }
      fdatasyncSync(descriptor)
      try {
        moveAll.get()
      } catch (error) {
        // SQLite reports a known failure once more to each connection: the second attempt is the one that counts.
        if (!(isError(error) && Reflect.get(error, 'errcode') === SQLITE_IOERR_FSYNC)) throw error
        moveAll.get()
      }
    },
    close: release,
  }
}
