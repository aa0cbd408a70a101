import { resolve } from 'node:path'
import { createRecoveryFile, adviseOnLeftWorlds, findLeftWorlds } from '../adapters/kept-world-place.ts'
import { printWarning } from './failure.ts'
import { startSentence } from '../engine/core/command-line.ts'

export function warnOfLeftWorlds(data: string): void {
  for (const { message, remedy } of adviseOnLeftWorlds(data))
    printWarning(`${message}. ${startSentence(remedy)}`)
}

/** Removes the snapshot file of an interrupted run. Call this after restoring the snapshot. */
export function forgetLeftWorld(data: string, file: string): void {
  const left = findLeftWorlds(data).find(({ path }) => resolve(path) === resolve(file))
  if (left) createRecoveryFile(left.path).forget()
}
