import { join } from 'node:path'
import { run } from './run.ts'

// GNU tar treats a drive letter before a colon as a host name, so the paths are relative.

/** Packs a file or folder and returns the path of the archive. */
export function packArchive(folder: string, name: string): string {
  const archive = `${name}.tar.gz`
  run('tar', ['-czf', archive, name], folder)
  return join(folder, archive)
}

/** Unpacks an archive into its folder. */
export function unpackArchive(folder: string, archive: string): void {
  run('tar', ['-xzf', archive], folder)
}
