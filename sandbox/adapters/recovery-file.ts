import { createReadStream, existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { replaceFileByPieces, syncFolder } from './files.ts'

/** A file that stores the snapshot of a world until the world is restored. */
export interface RecoveryFile {
  /** Writes the snapshot. Resolves when it is durable. Throws errors of the file system and of the chunks. */
  keep(pieces: AsyncIterable<Uint8Array>): Promise<void>
  exists(): boolean
  /** Reads the snapshot. Returns undefined if there is none. */
  read(): AsyncIterable<Uint8Array> | undefined
  /** Removes the snapshot durably, so that a power loss does not restore the file. */
  forget(): void
}

export function createRecoveryFile(path: string, sync = syncFolder): RecoveryFile {
  return {
    async keep(pieces) {
      // Only the owner can read the file, because a snapshot can contain secrets.
      await replaceFileByPieces(path, pieces, { mode: 0o600, flush: true })
      sync(dirname(path))
    },
    exists: () => existsSync(path),
    read: () => (existsSync(path) ? createReadStream(path) : undefined),
    forget() {
      rmSync(path, { force: true })
      sync(dirname(path))
    },
  }
}
