import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { DataFolderError, type DataFolder } from './data-folder.ts'
import { describeFileError } from './files.ts'

/** What others may do with a file. */
const OTHERS = 0o077
/** What is no secret: whoever trusts the CA may be another user. */
const PUBLIC = /\.crt\.pem$|^\.gitignore$/

/**
 * Takes from all other users what they may do with the folder, the store, tokens and keys; returns the paths of what they could use.
 * Throws DataFolderError if it cannot.
 */
export function tightenRights({ path, caFolder }: Pick<DataFolder, 'path' | 'caFolder'>): readonly string[] {
  // Windows has no such rights, and shows some that mean nothing.
  if (platform() === 'win32') return []
  return [path, ...filesIn(path), ...filesIn(caFolder)].filter((file) => tighten(file, path))
}

function filesIn(folder: string): string[] {
  const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder
    ? readdirSync(folder).flatMap((name) => (PUBLIC.test(name) ? [] : [join(folder, name)]))
    : []
}

/** Whether there was something to take. */
function tighten(file: string, folder: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false })
  // A file of another process that is being written may be gone by now; a link is where somebody has put it.
  if (!found || found.isSymbolicLink() || (found.mode & OTHERS) === 0) return false
  try {
    chmodSync(file, found.mode & 0o7777 & ~OTHERS)
    return true
  } catch (cause) {
    const problem = `other users can use "${file}", and that cannot be changed: ${describeFileError(cause)}`
    const message = `Cannot use data folder "${folder}": ${problem}. Take their rights away, or give another folder with --data`
    throw new DataFolderError(message, { cause })
  }
}
