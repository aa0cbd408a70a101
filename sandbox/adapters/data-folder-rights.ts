import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { DataFolderError, type DataFolder } from './data-folder.ts'
import { describeFileError } from './files.ts'

const OTHERS = 0o077
/** The names of files that contain no secrets. Other users may read the CA's certificate in order to trust the CA. */
const PUBLIC = /\.crt\.pem$|^\.gitignore$/

/** Removes other users' permissions on the folder, the store, tokens and keys. Returns the changed paths. Throws DataFolderError. */
export function tightenRights({ path, caFolder }: Pick<DataFolder, 'path' | 'caFolder'>): readonly string[] {
  // Does nothing on Windows, because Windows has no POSIX permissions.
  if (platform() === 'win32') return []
  return [path, ...filesIn(path), ...filesIn(caFolder)].filter((file) => tighten(file, path))
}

function filesIn(folder: string): string[] {
  const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder
    ? readdirSync(folder).flatMap((name) => (PUBLIC.test(name) ? [] : [join(folder, name)]))
    : []
}

function tighten(file: string, folder: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false })
  // Skips a temporary file that another process has removed. Skips a link, because the user is responsible for its target.
  if (!found || found.isSymbolicLink() || (found.mode & OTHERS) === 0) return false
  try {
    chmodSync(file, found.mode & 0o7777 & ~OTHERS)
    return true
  } catch (cause) {
    const problem = `other users have access to "${file}", and the sandbox cannot change its permissions: ${describeFileError(cause)}`
    const message = `Cannot use data folder "${folder}": ${problem}. Remove the permissions of other users, or give another folder with --data`
    throw new DataFolderError(message, { cause })
  }
}
