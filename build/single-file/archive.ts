import { join } from 'node:path'
import { run } from './run.ts'

// Each is named within its folder: GNU tar takes what is before a colon for a host, and so the letter of a drive.

/** Packs what has this name in the folder, and puts the archive beside it; gives its path. */
export function packArchive(folder: string, name: string): string {
  const archive = `${name}.tar.gz`
  run('tar', ['-czf', archive, name], folder)
  return join(folder, archive)
}

/** Unpacks an archive in its folder. */
export function unpackArchive(folder: string, archive: string): void {
  run('tar', ['-xzf', archive], folder)
}
