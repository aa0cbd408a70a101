import { digestSecret } from '../core/secret-strength.ts'
import { openDraft, openStore, type DatabaseParts, type Store } from './store.ts'
import {
  keyOf,
  WorldGoneError,
  WorldTakenError,
  type WorldKey,
  type WorldPause,
  type WorldRecord,
} from './world-record.ts'

export type WorldDirectory = ReturnType<typeof openWorldDirectory>

export function openWorldDirectory(parts: DatabaseParts) {
  const { worlds, commits } = parts
  const index = createWorldIndex(worlds.records())

  return {
    get isEmpty() {
      return index.isEmpty()
    },
    list: index.list,
    find: index.find,
    ...createChanges(parts, index),
    /** Opens the store of a world. Only one store per world can be open. Throws WorldGoneError or StorageError. */
    openStore(world: WorldRecord): Store {
      const number = index.find('id', world.id) && worlds.numberOf(world.name)
      if (number === undefined) throw new WorldGoneError(world)
      return openStore(parts, parts.open(number), world.name)
    },
    /** Returns the real time at which to open the world: null for never, 0 for immediately, as after a crash. */
    wakeAt({ name }: WorldRecord): number | null {
      const pause = worlds.pause(name)
      if (pause) return pause.wakeAt
      const number = worlds.numberOf(name)
      return number !== undefined && worlds.state(number).length > 0 ? 0 : null
    },
    keepPause: ({ name }: WorldRecord, pause: WorldPause) =>
      commits.writeNow(() => worlds.setPause(name, pause)),
    /** Returns the state that was saved when the world was closed, and deletes it. Undefined after a crash. */
    takePause({ name }: WorldRecord): WorldPause | undefined {
      const pause = worlds.pause(name)
      if (pause) commits.writeNow(() => worlds.setPause(name, undefined))
      return pause
    },
  }
}

function createChanges(parts: DatabaseParts, index: WorldIndex) {
  const { worlds, commits } = parts
  return {
    /** Adds a world. `fill` adds the world's entries. A failed `add` removes the world. Throws StorageError or WorldTakenError. */
    async add(world: WorldRecord, fill?: (store: Store) => Promise<WorldPause | undefined>): Promise<void> {
      index.reserve(world)
      let number: number | undefined
      try {
        const rows = openDraft(parts)
        number = rows.number
        const store = openStore(parts, rows)
        const pause = await fill?.(store)
        commits.writeNow(() => {
          worlds.add(rows.number, world.name, world)
          worlds.setPause(world.name, pause)
        })
        store.close()
        await commits.sync()
      } catch (error) {
        index.release(world)
        if (number !== undefined) parts.erase(number)
        throw error
      }
      index.publish(world)
    },
    /** Hides the world immediately, and removes its rows after `close` has resolved. Ignores an unknown id. */
    async remove(id: string, close: () => Promise<void>): Promise<void> {
      const world = index.find('id', id)
      if (!world) return
      index.hide(id)
      try {
        await close()
        const number = worlds.numberOf(world.name)
        commits.writeNow(() => worlds.remove(world.name))
        await commits.sync()
        if (number !== undefined) parts.erase(number)
      } catch (error) {
        index.publish(world)
        throw error
      }
      index.release(world)
    },
  }
}

const KEYS: readonly WorldKey[] = ['name', 'clientId', 'user', 'id', 'controlToken']

/** The keys that are secrets. Each secret is looked up by its digest, so that the lookup time reveals no partial match. */
const SECRETS: ReadonlySet<WorldKey> = new Set(['user', 'controlToken'])

type WorldIndex = ReturnType<typeof createWorldIndex>

function createWorldIndex(worlds: readonly WorldRecord[]) {
  const idByKey = new Map<string, string>()
  const published = new Map(worlds.map((world) => [world.id, world]))
  const entryOf = (key: WorldKey, value: string) =>
    `${key} ${SECRETS.has(key) ? digestSecret(value).toString('base64') : value}`

  /** Reserves the keys of a world before the world is visible. Throws WorldTakenError if another world has one of the keys. */
  function reserve(world: WorldRecord): void {
    const taken = KEYS.find((key) => idByKey.has(entryOf(key, keyOf(world, key))))
    if (taken !== undefined) throw new WorldTakenError(taken)
    for (const key of KEYS) idByKey.set(entryOf(key, keyOf(world, key)), world.id)
  }

  worlds.forEach(reserve)
  return {
    isEmpty: () => published.size === 0,
    list: () => [...published.values()],
    find: (key: WorldKey, value: string) => published.get(idByKey.get(entryOf(key, value)) ?? ''),
    reserve,
    publish: (world: WorldRecord) => void published.set(world.id, world),
    /** Hides the world. The keys of the world stay reserved. */
    hide: (id: string) => void published.delete(id),
    release(world: WorldRecord): void {
      for (const key of KEYS) idByKey.delete(entryOf(key, keyOf(world, key)))
    },
  }
}
