import type { DatabaseSync } from 'node:sqlite'
import { isError } from '../../../spec/errors.ts'
import { StorageError } from '../../engine/state/storage-error.ts'
import { toStorageError } from './storage-errors.ts'
import { PAGE_BYTES } from './database.ts'

/** Moves what was written last from the "-wal" file to the database, now and then. */
export interface WalCheckpoints {
  /** After a write of so many characters. Throws StorageError if the disk fails at it; if the disk is full, it is done later. */
  afterWrite(characters: number): void
  /** Moves all of it, and makes it durable there. */
  moveAll(): void
}

/** SQLite's own number. */
const PAGES = 1_000
/** What a write changes beside the pages that it fills. */
const PAGES_OF_A_WRITE = 2
const SQLITE_IOERR_FSYNC = 1_034

/**
 * SQLite would do it by itself, and say nothing of a disk that fails: then it would take what the disk has forgotten for kept the next
 * time.
 */
export function createWalCheckpoints(path: string, database: DatabaseSync): WalCheckpoints {
  database.exec('PRAGMA wal_autocheckpoint = 0')
  const passive = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  const whole = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)')
  let pages = 0

  return {
    afterWrite(characters) {
      pages += PAGES_OF_A_WRITE + Math.ceil(characters / PAGE_BYTES)
      if (pages < PAGES) return
      pages = 0
      try {
        passive.get()
      } catch (error) {
        const problem = toStorageError(path, error)
        if (!(problem instanceof StorageError && problem.kind === 'full')) throw problem
      }
    },
    moveAll() {
      try {
        whole.get()
      } catch (error) {
        // SQLite reports a known failure once more to each connection: the second attempt is the one that counts.
        if (!(isError(error) && Reflect.get(error, 'errcode') === SQLITE_IOERR_FSYNC)) throw error
        whole.get()
      }
    },
  }
}
