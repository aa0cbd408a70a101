import type { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../../engine/state/storage-error.ts'
import { createFileIdentity } from './file-identity.ts'
import { openHeadFile, type StoreHead } from './head-file.ts'
import { hasDiskSpace, toStorageError, withStorageErrors } from './storage-errors.ts'
import { openWal } from './wal.ts'

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
  /**
   * A second machine, if `sync` also waits for one. `syncNow` cannot do so: every write waits for `sync` then. It has a problem when
   * another process may have taken over.
   */
  readonly remote?: { readonly problem: StorageError | undefined }
  /** Before the database is closed. */
  closeWal(): void
  /** After that. */
  closeHead(): void
}

/** What must be free on a disk that was full: room for some transactions. */
const ROOM_BYTES = 128 * 1_024

/** The disk of the store at this path, whose database is open. */
export function openDisk(path: string, database: DatabaseSync): Disk {
  const wal = openWal(path, database)
  const identity = createFileIdentity(path)
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

  return {
    check: identity.check,
    written: wal.written,
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
      if (!mayHaveForgotten) return
      withStorageErrors(path, wal.writeAgain)
      headFile.write(head)
      identity.renew()
      mayHaveForgotten = false
    },
    closeWal: wal.close,
    closeHead: headFile.close,
  }
}
