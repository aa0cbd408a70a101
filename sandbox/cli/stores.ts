import { basename } from 'node:path'
import type { DataFolder } from '../adapters/data-folder.ts'
import { describeCutTail } from '../adapters/sqlite/cut-tail.ts'
import { acceptLoss, isUnguarded } from '../adapters/sqlite/database.ts'
import { hasStore } from '../adapters/sqlite/head-file.ts'
import { findWorldStores, type WorldStore } from '../adapters/world-files.ts'
import { DEFAULT_WORLD } from '../engine/state/world-directory.ts'

/** The stores of all worlds of a data folder, that of the default one first. */
export function findStores({
  storePath,
  worldsFolder,
}: Pick<DataFolder, 'storePath' | 'worldsFolder'>): readonly WorldStore[] {
  const first = hasStore(storePath) ? [{ name: DEFAULT_WORLD, path: storePath }] : []
  return [...first, ...findWorldStores(worldsFolder)]
}

/** What is said of a store, which names its world unless that is the one that is there without any other. */
export function ofWorld({ name }: Pick<WorldStore, 'name'>, text: string): string {
  return name === DEFAULT_WORLD ? text : `World "${name}": ${text}`
}

/** What the next start cuts off the store, in a sentence; undefined if nothing. */
export function cutTailOf(store: WorldStore): string | undefined {
  const text = describeCutTail(store.path)
  return text === undefined ? undefined : ofWorld(store, text)
}

/** What is said of a store with entries and without its head file; undefined if it has one. */
export function unguardedOf(store: WorldStore): string | undefined {
  if (!isUnguarded(store.path)) return undefined
  const text = `Store "${store.path}" has no file "${basename(store.path)}.head", which states what was synced: a loss before this start cannot be noticed`
  return ofWorld(store, text)
}

/** Accepts the loss of a store, and says which it is; undefined if there is none. */
export function acceptLossOf(store: WorldStore): string | undefined {
  const loss = acceptLoss(store.path)
  return loss === undefined
    ? undefined
    : ofWorld(store, `Store "${store.path}" continues after a loss: ${loss}`)
}
