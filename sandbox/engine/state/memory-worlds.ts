import { createMemoryLog, type Log } from './log.ts'
import { WorldGoneError, type WorldDirectory, type WorldPause } from './world-directory.ts'
import { createWorldIndex } from './world-index.ts'

/** Worlds that are kept for as long as the process lives. */
export function createMemoryWorlds(): WorldDirectory {
  const index = createWorldIndex()
  const logById = new Map<string, Log>()
  const pauseById = new Map<string, WorldPause>()
  return {
    get isEmpty() {
      return index.size === 0
    },
    list: index.list,
    find: index.find,
    async add(world, fill) {
      index.reserve(world)
      const log = createMemoryLog()
      try {
        const pause = await fill?.(log)
        if (pause) pauseById.set(world.id, pause)
      } catch (error) {
        index.release(world)
        throw error
      }
      logById.set(world.id, log)
      index.publish(world)
    },
    async remove(id, close) {
      const world = index.find('id', id)
      if (!world) return
      index.hide(id)
      await close().catch((error: unknown) => {
        index.publish(world)
        throw error
      })
      logById.delete(id)
      pauseById.delete(id)
      index.release(world)
    },
    openLog(world) {
      const log = index.find('id', world.id) && logById.get(world.id)
      if (!log) throw new WorldGoneError(world)
      return log
    },
    wakeAt: ({ id }) => pauseById.get(id)?.wakeAt ?? null,
    keepPause: ({ id }, pause) => void pauseById.set(id, pause),
    takePause({ id }) {
      const pause = pauseById.get(id)
      pauseById.delete(id)
      return pause
    },
    storePath: () => undefined,
  }
}
