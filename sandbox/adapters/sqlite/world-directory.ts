import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { WorldGoneError, type WorldDirectory, type WorldRecord } from '../../engine/state/world-directory.ts'
import { createWorldIndex, type WorldIndex } from '../../engine/state/world-index.ts'
import { removeKeptWorlds } from '../kept-world-place.ts'
import type { DatabaseParts } from './database-parts.ts'
import { openStore } from './store.ts'

/** The worlds of a database besides the default one. `path` is its file; undefined if the worlds end with the process. */
export function openWorldDirectory(parts: DatabaseParts, path: string | undefined): WorldDirectory {
  const { worlds, change } = parts
  const records = worlds.records()
  const index = createWorldIndex(records)
  const wakeAtById = new Map(records.map((record) => [record.id, firstWakeAt(parts, record)]))

  return {
    get isEmpty() {
      return index.size === 0
    },
    list: index.list,
    find: index.find,
    ...createChanges({ parts, path, index, wakeAtById }),
    openStore(world) {
      const number = index.find('id', world.id) && worlds.find(world.name)
      if (number === undefined) throw new WorldGoneError(world)
      return openStore(parts, parts.openTables(number), world.name)
    },
    wakeAt: ({ id }) => wakeAtById.get(id) ?? null,
    keepPause({ id, name }, pause) {
      wakeAtById.set(id, pause.wakeAt)
      change(() => worlds.setPause(name, pause))
    },
    takePause({ id, name }) {
      wakeAtById.set(id, 0)
      const pause = worlds.pause(name)
      if (pause) change(() => worlds.setPause(name, undefined))
      return pause
    },
    recoveryPath: (world) => (path === undefined ? undefined : recoveryPathOf(path, world)),
  }
}

interface Changes {
  readonly parts: DatabaseParts
  readonly path: string | undefined
  readonly index: WorldIndex
  readonly wakeAtById: Map<string, number | null>
}

function createChanges({ parts, path, index, wakeAtById }: Changes): Pick<WorldDirectory, 'add' | 'remove'> {
  const { worlds, change, commits } = parts
  return {
    async add(world, fill) {
      index.reserve(world)
      const store = openStore(parts, parts.addDraft())
      try {
        const pause = await fill?.(store)
        change(() => {
          worlds.add(world.name, store.number, world)
          worlds.setPause(world.name, pause)
        })
        store.close()
        await commits.sync()
        wakeAtById.set(world.id, pause?.wakeAt ?? null)
      } catch (error) {
        index.release(world)
        parts.erase(store.number)
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
        const number = worlds.find(world.name)
        change(() => worlds.remove(world.name))
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
  const number = worlds.find(name)
  return number !== undefined && (worlds.state(number)?.length ?? 0) > 0 ? 0 : null
}
