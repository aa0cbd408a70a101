import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { replaceFile, syncFolder } from './files.ts'

/** A file that keeps a text as long as it is needed. */
export interface AsideFile {
  /** When it returns, the text outlives a crash. Throws what the file system throws. */
  keep(text: string): void
  /** Undefined if nothing is kept. */
  read(): string | undefined
  /** When it returns, not even a loss of power brings the text back. */
  forget(): void
}

export function createAsideFile(path: string, sync = syncFolder): AsideFile {
  return {
    keep(text) {
      // It may have secrets in it, as the store has.
      replaceFile(path, text, { mode: 0o600, flush: true })
      sync(dirname(path))
    },
    read: () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
    forget() {
      rmSync(path, { force: true })
      sync(dirname(path))
    },
  }
}
