import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { WorldGoneError, type WorldDirectory, type WorldRecord } from '../engine/state/world-directory.ts'
import { createWorldIndex } from '../engine/state/world-index.ts'
import { makeFolder, syncFolder } from './files.ts'
import { openSqliteLog } from './sqlite/sqlite-log.ts'
import { toStorageError } from './sqlite/storage-errors.ts'
import { readWakeAt, readWorlds, STORE_FILE, takePause, writePause, writeWorld } from './world-files.ts'

/**
 * The worlds of a data folder, each in a folder of its own within this one. It is for one process at a time, which has claimed
 * the data folder. Throws DataFolderError if it cannot be read.
 */
export function openWorldFolders(root: string): WorldDirectory {
  const folderOf = (name: string) => join(root, name)
  const worlds = readWorlds(root)
  const index = createWorldIndex(worlds)
  const wakeAtById = new Map(worlds.map(({ id, name }) => [id, readWakeAt(folderOf(name))]))
  const storePath = ({ name }: WorldRecord) => join(folderOf(name), STORE_FILE)

  return {
    get isEmpty() {
      return index.size === 0
    },
    list: index.list,
    find: index.find,
    async add(world, fill) {
      index.reserve(world)
      try {
        await addFolder(root, world, fill)
      } catch (error) {
        index.release(world)
        throw toStorageError(storePath(world), error)
      }
      wakeAtById.set(world.id, readWakeAt(folderOf(world.name)))
      index.publish(world)
    },
    async remove(id, close) {
      const world = index.find('id', id)
      if (!world) return
      index.hide(id)
      try {
        await close()
        removeFolder(root, world)
      } catch (error) {
        index.publish(world)
        throw toStorageError(storePath(world), error)
      }
      wakeAtById.delete(id)
      index.release(world)
    },
    openLog(world) {
      if (!index.find('id', world.id)) throw new WorldGoneError(world)
      return openSqliteLog(storePath(world))
    },
    ...createPauses(root, wakeAtById),
    storePath,
  }
}

function createPauses(
  root: string,
  wakeAtById: Map<string, number | null>,
): Pick<WorldDirectory, 'wakeAt' | 'keepPause' | 'takePause'> {
  return {
    wakeAt: ({ id }) => wakeAtById.get(id) ?? null,
    keepPause({ id, name }, pause) {
      wakeAtById.set(id, pause.wakeAt)
      writePause(join(root, name), pause)
    },
    takePause({ id, name }) {
      wakeAtById.set(id, 0)
      const pause = takePause(join(root, name))
      // A loss of power must not bring it back beside what changes from now on.
      if (pause) syncFolder(join(root, name))
      return pause
    },
  }
}

/** Whole or not at all. */
async function addFolder(
  root: string,
  world: WorldRecord,
  fill: Parameters<WorldDirectory['add']>[1],
): Promise<void> {
  const draft = join(root, `.new-${world.id}`)
  try {
    makeFolder(root, 0o700)
    mkdirSync(draft, 0o700)
    writeWorld(draft, world)
    const pause = await fill?.(openSqliteLog(join(draft, STORE_FILE)))
    if (pause) writePause(draft, pause)
    syncFolder(draft)
    renameSync(draft, join(root, world.name))
    syncFolder(root)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
}

/** What is left of it, if the process ends meanwhile, the next start removes. */
function removeFolder(root: string, { id, name }: WorldRecord): void {
  const removed = join(root, `.removed-${id}`)
  // Somebody may have deleted it by hand.
  if (existsSync(join(root, name))) renameSync(join(root, name), removed)
  syncFolder(root)
  rmSync(removed, { recursive: true, force: true })
}
