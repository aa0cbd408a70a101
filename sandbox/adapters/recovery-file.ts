import { createReadStream, existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { replaceFileByPieces, syncFolder } from './files.ts'

/** A file with the snapshot of a world that must be restored. */
export interface RecoveryFile {
  /** Resolves when the snapshot is durable. Throws the error of the file system or of the pieces. */
  keep(pieces: AsyncIterable<Uint8Array>): Promise<void>
  exists(): boolean
  /** Reads the snapshot. Returns undefined if there is none. */
  read(): AsyncIterable<Uint8Array> | undefined
  /** Removes the snapshot, so that a power loss does not bring it back. */
  forget(): void
}

export function createRecoveryFile(path: string, sync = syncFolder): RecoveryFile {
  return {
    async keep(pieces) {
      // A snapshot may have secrets.
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
