import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StorageError } from '../../engine/state/storage-error.ts'
import { withStorageErrors } from './storage-errors.ts'

/**
 * Remembers the folder, the database and the write-ahead log. Call it when the files are open: no other file can get their numbers
 * then.
 */
export function createFileIdentity(databasePath: string) {
  const known = [
    { path: dirname(databasePath), what: 'its folder' },
    { path: databasePath, what: 'it' },
    { path: `${databasePath}-wal`, what: 'its last writes ("-wal")' },
  ].map((file) => ({ ...file, found: identify(file.path) }))

  return {
    /**
     * Throws StorageError `gone` if one of them was deleted, cut short or replaced: further writes would be lost when the process
     * ends. Throws another StorageError if one of them cannot be read.
     */
    check(): void {
      for (const file of known) {
        const { path, what, found } = file
        const present = withStorageErrors(databasePath, () => identify(path))
        const isSame = present.device === found.device && present.inode === found.inode
        if (isSame && present.bytes >= found.bytes) {
          file.found = present
          continue
        }
        const isGone = Number.isNaN(present.inode)
        const state = isGone ? 'was deleted or moved away' : isSame ? 'was cut short' : 'was replaced'
        throw new StorageError(
          'gone',
          `Cannot write store "${databasePath}": ${what} ${state} while the sandbox ran. Start the sandbox again`,
        )
      }
    },
    /** The files are as long as they should be now: they were made shorter by their owner. */
    renew(): void {
      for (const file of known) file.found = identify(file.path)
    },
  }
}

/** A folder has no length. */
function identify(path: string) {
  const found = statSync(path, { throwIfNoEntry: false })
  return {
    device: found?.dev ?? Number.NaN,
    inode: found?.ino ?? Number.NaN,
    bytes: found?.isFile() === true ? found.size : 0,
  }
}
