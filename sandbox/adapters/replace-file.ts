import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'

/** Writes a file whole or not at all: a reader finds the old text or the new one. Throws what the file system throws. */
export function replaceFile(file: string, text: string, { mode = 0o666 } = {}): void {
  const draft = `${file}.${randomUUID()}.tmp`
  try {
    writeFileSync(draft, text, { mode })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
