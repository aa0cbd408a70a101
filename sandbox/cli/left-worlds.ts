import { resolve } from 'node:path'
import { createRecoveryFile } from '../adapters/recovery-file.ts'
import { findLeftWorlds, type LeftWorld } from '../adapters/kept-world-place.ts'
import { commandLine, quoteForShell } from '../engine/core/command-line.ts'
import { DEFAULT_WORLD } from '../engine/state/world-directory.ts'
import { printWarning } from './failure.ts'

/** How a world that a run of checks has not put back comes back. */
export interface LeftWorldAdvice {
  readonly message: string
  readonly remedy: string
}

/** Of each world of the data folder that a run of checks uses now, or was cut off in. */
export function adviseOnLeftWorlds(data: string): readonly LeftWorldAdvice[] {
  return findLeftWorlds(data).map((left) => adviseOnLeftWorld(left, data))
}

function adviseOnLeftWorld(left: LeftWorld, data: string): LeftWorldAdvice {
  return {
    message: `A run of checks uses world "${left.world}" now, or was cut off before it had put this world back`,
    remedy: `if no run is under way, put it back with "${restoreLeftWorldCommand(left, data)}"`,
  }
}

export function restoreLeftWorldCommand({ world, path }: LeftWorld, data: string): string {
  const target = { data, ...(world !== DEFAULT_WORLD && { world }) }
  return commandLine(`snapshot restore ${quoteForShell(path)}`, target)
}

export function warnOfLeftWorlds(data: string): void {
  for (const { message, remedy } of adviseOnLeftWorlds(data)) printWarning(`${message}; ${remedy}`)
}

/** The world of a run that was cut off is there again when this file was restored. */
export function forgetLeftWorld(data: string, file: string): void {
  const left = findLeftWorlds(data).find(({ path }) => resolve(path) === resolve(file))
  if (left) createRecoveryFile(left.path).forget()
}
