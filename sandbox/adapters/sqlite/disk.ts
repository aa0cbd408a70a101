import type { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../../engine/state/storage-error.ts'
import { createFileIdentity } from './file-identity.ts'
import { openHeadFile, type StoreHead } from './head-file.ts'
import { hasDiskSpace, toStorageError, withStorageErrors } from './storage-errors.ts'
import { createWalCheckpoints } from './wal-checkpoints.ts'
import { createWalFile } from './wal-file.ts'

/** What makes transactions durable. A store in memory has none. Each function throws StorageError. */
export interface Disk {
  /** Before and after each transaction: throws `gone` if the files are not the same any more. */
  check(): void
  /** After a transaction of about so many characters. */
  written(characters: number): void
  /** Resolves when everything written so far survives a crash of the machine. `head` is the state of the store now. */
  sync(head: StoreHead): Promise<void>
  /** The same, without other work meanwhile. */
  syncNow(head: StoreHead): void
  /** After `full`: returns if there is room again, and everything written so far is durable. */
  recover(head: StoreHead): void
  /** Before the database is closed. */
  closeWal(): void
  /** After that. */
  closeHead(): void
}

/** What must be free on a disk that was full: room for some transactions. */
const ROOM_BYTES = 128 * 1_024

/** The disk of the store at this path, whose database is open. */
export function openDisk(path: string, database: DatabaseSync): Disk {
  const wal = createWalFile(path)
  const identity = createFileIdentity(path)
  const checkpoints = createWalCheckpoints(path, database)
  const headFile = openHeadFile(path)
  let mayHaveForgotten = false

  function confirm(head: StoreHead): void {
    identity.check()
    headFile.write(head)
  }

  function fail(error: unknown): never {
    mayHaveForgotten = true
    throw toStorageError(path, error)
  }

  function writeAgain(head: StoreHead): void {
    withStorageErrors(path, () => {
      // After a failed sync the next one can succeed without the data. Everything is durable in the WAL before any of it is moved:
      // a loss of power in between would leave the database with a part.
      wal.writeAgain()
      checkpoints.moveAll()
      headFile.write(head)
    })
    identity.renew()
  }

  return {
    check: identity.check,
    written: checkpoints.afterWrite,
    sync: (head) =>
      wal
        .sync()
        .then(() => confirm(head))
        .catch(fail),
    syncNow(head) {
      try {
        wal.syncNow()
        confirm(head)
      } catch (error) {
        fail(error)
      }
    },
    recover(head) {
      identity.check()
      if (!hasDiskSpace(path, ROOM_BYTES))
        throw new StorageError('full', `Cannot write store "${path}": the disk is full`)
      if (mayHaveForgotten) writeAgain(head)
      mayHaveForgotten = false
    },
    closeWal: wal.close,
    closeHead: headFile.close,
  }
}
