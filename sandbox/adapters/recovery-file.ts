import { createReadStream, existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { replaceFileByPieces, syncFolder } from './files.ts'

/** A file that keeps a snapshot as long as its world is to come back. */
export interface RecoveryFile {
  /** When it resolves, the snapshot outlives a crash. Throws what the file system or the pieces throw. */
  keep(pieces: AsyncIterable<Uint8Array>): Promise<void>
  exists(): boolean
  /** Undefined if nothing is kept. */
  read(): AsyncIterable<Uint8Array> | undefined
  /** When it returns, not even a loss of power brings the snapshot back. */
  forget(): void
}

export function createRecoveryFile(path: string, sync = syncFolder): RecoveryFile {
  return {
    async keep(pieces) {
      // It may have secrets in it, as the store has.
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
