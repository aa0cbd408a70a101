import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StorageError } from '../../engine/state/log.ts'
import { withStorageErrors } from './storage-errors.ts'

/** The folder, the database and what is written last, as they were when they were opened. */
export interface FileIdentity {
  /**
   * Throws StorageError `gone` if one of them is not there any more, or another one in its place: what would be written is lost
   * when the process ends. Throws StorageError, too, if one cannot be looked at.
   */
  check(): void
}

interface Known {
  readonly path: string
  readonly what: string
  device: number
  inode: number
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
      for (const { path, what, device, inode } of known) {
        const present = withStorageErrors(databasePath, () => identify(path))
        if (present.device === device && present.inode === inode) continue
        const state = Number.isNaN(present.inode) ? 'was deleted or moved away' : 'was replaced'
        throw new StorageError(
          'gone',
          `Cannot write store "${databasePath}": ${what} ${state} while the sandbox ran; start the sandbox again`,
        )
      }
    },
  }
}

function identify(path: string): Pick<Known, 'device' | 'inode'> {
  const found = statSync(path, { throwIfNoEntry: false })
  return { device: found?.dev ?? Number.NaN, inode: found?.ino ?? Number.NaN }
}
