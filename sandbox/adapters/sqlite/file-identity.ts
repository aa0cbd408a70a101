import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StorageError } from '../../engine/state/storage-error.ts'
import { withStorageErrors } from './storage-errors.ts'

/** The folder, the database and what is written last, as they were when they were opened. */
export interface FileIdentity {
  /**
   * Throws StorageError `gone` if one of them is not there any more, is shorter than it was, or another one is in its place: what
   * would be written is lost when the process ends. Throws StorageError, too, if one cannot be looked at.
   */
  check(): void
  /** The files are as long as they should be now: they were made shorter by their owner. */
  renew(): void
}

interface Known {
  readonly path: string
  readonly what: string
  device: number
  inode: number
  bytes: number
}

/** Make it when the files are open: no other file can get their numbers then. */
export function createFileIdentity(databasePath: string): FileIdentity {
  const known: Known[] = [
    { path: dirname(databasePath), what: 'its folder' },
    { path: databasePath, what: 'it' },
    { path: `${databasePath}-wal`, what: 'what was written to it last ("-wal")' },
  ].map((file) => ({ ...file, ...identify(file.path) }))

  return {
    check() {
      for (const file of known) {
        const { path, what, device, inode, bytes } = file
        const present = withStorageErrors(databasePath, () => identify(path))
        const isSame = present.device === device && present.inode === inode
        if (isSame && present.bytes >= bytes) {
          file.bytes = present.bytes
          continue
        }
        const isGone = Number.isNaN(present.inode)
        const state = isGone ? 'was deleted or moved away' : isSame ? 'was cut short' : 'was replaced'
        throw new StorageError(
          'gone',
          `Cannot write store "${databasePath}": ${what} ${state} while the sandbox ran; start the sandbox again`,
        )
      }
    },
    renew() {
      for (const file of known) file.bytes = identify(file.path).bytes
    },
  }
}

/** A folder has no length. */
function identify(path: string): Pick<Known, 'device' | 'inode' | 'bytes'> {
  const found = statSync(path, { throwIfNoEntry: false })
  return {
    device: found?.dev ?? Number.NaN,
    inode: found?.ino ?? Number.NaN,
    bytes: found?.isFile() === true ? found.size : 0,
  }
}
