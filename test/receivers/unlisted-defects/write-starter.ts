import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UnlistedDefect } from './edits.ts'

const STARTER = new URL('../../../contracts/reference-receiver/starter/', import.meta.url)

/** The three files of the starter with a defect. Throws if an edit does not fit. */
function defectiveFiles({ name, edits }: UnlistedDefect): ReadonlyMap<string, string> {
  const files = new Map(
    ['main.mjs', 'service.mjs', 'store.mjs'].map((file) => [
      file,
      readFileSync(new URL(file, STARTER), 'utf8'),
    ]),
  )
  for (const { file, from, to } of edits) {
    const parts = (files.get(file) ?? '').split(from)
    if (parts.length !== 2)
      throw new RangeError(`Cannot apply ${name}: "${from}" occurs ${parts.length - 1} times in ${file}`)
    files.set(file, parts.join(to))
  }
  return files
}

/** Writes the files to a folder, and returns the path of the program. */
export function writeDefectiveStarter(defect: UnlistedDefect, folder: string): string {
  for (const [file, text] of defectiveFiles(defect)) writeFileSync(join(folder, file), text)
  return join(folder, 'main.mjs')
}
