import type { DatabaseSync } from 'node:sqlite'
import type { Disk, StoreHead } from '../../engine/state/disk.ts'
import { StorageError } from '../../engine/state/storage-error.ts'
import { createFileIdentity } from './file-identity.ts'
import { openHeadFile } from './head-file.ts'
import { hasDiskSpace, toStorageError, withStorageErrors } from './storage-errors.ts'
import { openWal } from './wal.ts'

/** What must be free on a disk that was full: room for some transactions. */
const ROOM_BYTES = 128 * 1_024

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
