import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { digestSecret } from '../../engine/core/secret-strength.ts'
import {
  keyOf,
  WorldGoneError,
  WorldTakenError,
  type WorldDirectory,
  type WorldKey,
  type WorldRecord,
} from '../../engine/state/world-directory.ts'
import { removeKeptWorlds } from '../kept-world-place.ts'
import { openDraft, openStore, type DatabaseParts } from './store.ts'

/** The worlds of a database besides the default one. `path` is its file; undefined if the worlds end with the process. */
export function openWorldDirectory(parts: DatabaseParts, path: string | undefined): WorldDirectory {
  const { worlds, commits } = parts
  const records = worlds.records()
  const index = createWorldIndex(records)
  const wakeAtById = new Map(records.map((record) => [record.id, firstWakeAt(parts, record)]))

  return {
    get isEmpty() {
      return index.isEmpty()
    },
    list: index.list,
    find: index.find,
    ...createChanges({ parts, path, index, wakeAtById }),
    openStore(world) {
      const number = index.find('id', world.id) && worlds.numberOf(world.name)
      if (number === undefined) throw new WorldGoneError(world)
      return openStore(parts, parts.open(number), world.name)
    },
    wakeAt: ({ id }) => wakeAtById.get(id) ?? null,
    keepPause({ id, name }, pause) {
      wakeAtById.set(id, pause.wakeAt)
      commits.writeNow(() => worlds.setPause(name, pause))
    },
    takePause({ id, name }) {
      wakeAtById.set(id, 0)
      const pause = worlds.pause(name)
      if (pause) commits.writeNow(() => worlds.setPause(name, undefined))
      return pause
    },
    recoveryPath: (world) => (path === undefined ? undefined : recoveryPathOf(path, world)),
  }
}

interface Changes {
  readonly parts: DatabaseParts
  readonly path: string | undefined
  readonly index: ReturnType<typeof createWorldIndex>
  readonly wakeAtById: Map<string, number | null>
}

function createChanges({ parts, path, index, wakeAtById }: Changes): Pick<WorldDirectory, 'add' | 'remove'> {
  const { worlds, commits } = parts
  return {
    async add(world, fill) {
      index.reserve(world)
      const rows = openDraft(parts)
      const store = openStore(parts, rows)
      try {
        const pause = await fill?.(store)
        commits.writeNow(() => {
          worlds.add(world.name, rows.number, world)
          worlds.setPause(world.name, pause)
        })
        store.close()
        await commits.sync()
        wakeAtById.set(world.id, pause?.wakeAt ?? null)
      } catch (error) {
        index.release(world)
        parts.erase(rows.number)
        throw error
      }
      index.publish(world)
    },
    async remove(id, close) {
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
      if (path !== undefined) removeSnapshots(path, world)
      wakeAtById.delete(id)
      index.release(world)
    },
  }
}

const KEYS: readonly WorldKey[] = ['name', 'clientId', 'user', 'id', 'controlToken']

/** What cannot be told from the time that looking it up takes. */
const SECRETS: ReadonlySet<WorldKey> = new Set(['user', 'controlToken'])

/** Worlds by all that names one of them. */
function createWorldIndex(worlds: readonly WorldRecord[]) {
  const idByKey = new Map<string, string>()
  const published = new Map(worlds.map((world) => [world.id, world]))
  const entryOf = (key: WorldKey, value: string) =>
    `${key} ${SECRETS.has(key) ? digestSecret(value).toString('base64') : value}`

  /** Takes what names it, so that no other world can have that. Nobody finds it yet. Throws WorldTakenError. */
  function reserve(world: WorldRecord): void {
    const taken = KEYS.find((key) => idByKey.has(entryOf(key, keyOf(world, key))))
    if (taken !== undefined) throw new WorldTakenError(taken)
    for (const key of KEYS) idByKey.set(entryOf(key, keyOf(world, key)), world.id)
  }

  worlds.forEach(reserve)
  return {
    isEmpty: () => published.size === 0,
    /** Oldest first. */
    list: () => [...published.values()],
    find: (key: WorldKey, value: string) => published.get(idByKey.get(entryOf(key, value)) ?? ''),
    reserve,
    /** From now on it is found. */
    publish: (world: WorldRecord) => void published.set(world.id, world),
    /** It is not found any more; what names it stays taken. */
    hide: (id: string) => void published.delete(id),
    /** What names it can be taken again. */
    release(world: WorldRecord): void {
      for (const key of KEYS) idByKey.delete(entryOf(key, keyOf(world, key)))
    },
  }
}

/** Removes what runs of checks have left of a world. */
function removeSnapshots(path: string, world: WorldRecord): void {
  rmSync(recoveryPathOf(path, world), { force: true })
  removeKeptWorlds(dirname(path), world.name)
}

const recoveryPathOf = (path: string, { id }: WorldRecord) => `${path}.${id}.recovery`

/** A world that was used, and not closed cleanly, is opened at once. */
function firstWakeAt({ worlds }: DatabaseParts, { name }: WorldRecord): number | null {
  const pause = worlds.pause(name)
  if (pause) return pause.wakeAt
  const number = worlds.numberOf(name)
  return number !== undefined && worlds.state(number).length > 0 ? 0 : null
}
