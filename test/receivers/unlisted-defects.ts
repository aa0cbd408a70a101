import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callBackDefects, concurrencyDefects, httpDefects } from './unlisted-defects/calls.ts'
import type { AreaDefect, StarterFile, UnlistedDefect } from './unlisted-defects/defect.ts'
import { identityDefects, moneyDefects, parsingDefects } from './unlisted-defects/values.ts'
import { persistenceDefects, timeDefects } from './unlisted-defects/storage.ts'

const STARTER = new URL('../../contracts/reference-receiver/starter/', import.meta.url)
const FILES: readonly StarterFile[] = ['main.mjs', 'receiver.mjs', 'service.mjs', 'store.mjs']

const DEFECTS_BY_AREA: Readonly<Record<string, readonly AreaDefect[]>> = {
  parsing: parsingDefects,
  money: moneyDefects,
  identity: identityDefects,
  concurrency: concurrencyDefects,
  'call-back': callBackDefects,
  persistence: persistenceDefects,
  http: httpDefects,
  time: timeDefects,
}

/** Defects of the starter receiver for which no specific check exists. Only random worlds reveal these defects. */
export const UNLISTED_DEFECTS: readonly UnlistedDefect[] = Object.entries(DEFECTS_BY_AREA).flatMap(
  ([area, defects]) => defects.map((defect) => ({ ...defect, area })),
)

/** Writes the files of the starter receiver with this defect into an existing folder. */
export function writeDefectiveStarter(defect: UnlistedDefect, folder: string): void {
  for (const [file, text] of editStarter(defect)) writeFileSync(join(folder, file), text)
}

/** Returns the text of each starter file. Throws if an edit does not match exactly once. */
export function editStarter({ name, edits }: UnlistedDefect): ReadonlyMap<StarterFile, string> {
  const texts = new Map(FILES.map((file) => [file, readFileSync(new URL(file, STARTER), 'utf8')] as const))
  for (const { file, from, to } of edits) {
    const [before, after, ...rest] = (texts.get(file) ?? '').split(from)
    if (before === undefined || after === undefined || rest.length > 0)
      throw new Error(`Cannot add the defect "${name}" to ${file}: its text must occur once: ${from}`)
    texts.set(file, `${before}${to}${after}`)
  }
  return texts
}
