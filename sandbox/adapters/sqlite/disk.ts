import { closeSync, fdatasync, fdatasyncSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { isError } from '../../../spec/errors.ts'
import type { Disk, StoreHead } from '../../engine/state/disk.ts'
import { StorageError } from '../../engine/state/storage-error.ts'
import { PAGE_BYTES } from './database.ts'
import { openHeadFile } from './head-file.ts'
import { hasDiskSpace, toStorageError, withStorageErrors } from './storage-errors.ts'

/** The number of written pages after which a checkpoint runs: 16 MB, which a start after a crash reads in about 20 ms. */
const PAGES_OF_A_CHECKPOINT = 2_000
/** The number of existing pages that each write changes besides its new pages. */
const PAGES_OF_A_WRITE = 2
const BYTES_AT_ONCE = 1_048_576
const SQLITE_IOERR_FSYNC = 1_034

const syncFile = promisify(fdatasync)
/** The number of free bytes that the store needs to continue after a full disk. */
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

function openWal(path: string, database: DatabaseSync) {
  const descriptor = openSync(`${path}-wal`, 'r+')
  // Disables automatic checkpoints, which hide a disk failure. The next checkpoint then treats the lost data as saved.
  database.exec('PRAGMA wal_autocheckpoint = 0')
  const moveSome = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  const moveAll = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)')
  let pages = 0
  let users = 1

  function release(): void {
    if (--users === 0) closeSync(descriptor)
  }

  return {
    /** Resolves when all earlier writes are on the disk. Does not block. */
    async sync(): Promise<void> {
      users++
      await syncFile(descriptor).finally(release)
    },
    syncNow: () => fdatasyncSync(descriptor),
    /** Records a write. Runs a checkpoint when due, or later if the disk is full. Throws StorageError if the disk fails. */
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
    /** Rewrites the log after a failed sync, because the next sync can succeed without the data. Then runs a checkpoint. */
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
        // Tries the checkpoint again, because SQLite reports an earlier failure once to each connection.
        if (!(isError(error) && Reflect.get(error, 'errcode') === SQLITE_IOERR_FSYNC)) throw error
        moveAll.get()
      }
    },
    close: release,
  }
}

/** Identifies the files of a store by inode. While the files are open, no other file can get their inodes. */
function createFileIdentity(databasePath: string) {
  const know = (path: string, what: string) => ({ path, what, found: identify(path) })
  const folder = know(dirname(databasePath), 'its folder')
  const files = [know(databasePath, 'it'), know(`${databasePath}-wal`, 'the write-ahead log ("-wal")')]

  function check(file: ReturnType<typeof know>): void {
    const { path, what, found } = file
    const present = withStorageErrors(databasePath, () => identify(path))
    const isSame = present.device === found.device && present.inode === found.inode
    if (isSame && present.bytes >= found.bytes) {
      file.found = present
      return
    }
    // A missing folder explains a missing file.
    if (file !== folder) check(folder)
    const isGone = Number.isNaN(present.inode)
    const state = isGone ? 'was deleted or moved' : isSame ? 'was cut short' : 'was replaced'
    throw new StorageError(
      'gone',
      `Cannot write store "${databasePath}": ${what} ${state} while the sandbox ran. Start the sandbox again`,
    )
  }

  return {
    /** Throws StorageError `gone` if a file was deleted, truncated or replaced, because further writes would be lost. */
    check: () => files.forEach(check),
    /** Records the current file lengths, because the store itself truncated its files. */
    renew(): void {
      for (const file of files) file.found = identify(file.path)
    },
  }
}

function identify(path: string) {
  const found = statSync(path, { throwIfNoEntry: false })
  return {
    device: found?.dev ?? Number.NaN,
    inode: found?.ino ?? Number.NaN,
    bytes: found?.isFile() === true ? found.size : 0,
  }
}
