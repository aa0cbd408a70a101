import { existsSync } from 'node:fs'
import type { DataFolder } from '../adapters/data-folder.ts'
import { describeCutTail } from '../adapters/sqlite/cut-tail.ts'
import { findWorldStores, type WorldStore } from '../adapters/world-files.ts'
import { DEFAULT_WORLD } from '../engine/state/world-directory.ts'

/** The stores of all worlds of a data folder, that of the default one first. */
export function findStores({
  storePath,
  worldsFolder,
}: Pick<DataFolder, 'storePath' | 'worldsFolder'>): readonly WorldStore[] {
  const first = existsSync(storePath) ? [{ name: DEFAULT_WORLD, path: storePath }] : []
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
