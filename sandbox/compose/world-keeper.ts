import type { RealTime } from '../engine/core/ports.ts'
import type { WorldDirectory } from '../engine/state/world-directory.ts'
import { WorldGoneError, type WorldRecord } from '../engine/state/world-record.ts'
import type { WorldRegistry } from './world-registry.ts'
import { createWorldTimes } from './world-times.ts'

export interface WorldKeeperPorts {
  readonly directory: Pick<WorldDirectory, 'find' | 'list' | 'remove' | 'wakeAt'>
  readonly registry: Pick<WorldRegistry, 'use' | 'close'>
  readonly realTime: Pick<RealTime, 'now' | 'after'>
  readonly onError: (where: string, error: unknown) => void
  /** Called after the world's rows are deleted. */
  readonly onRemoved: (world: WorldRecord) => void
}

export type WorldKeeper = ReturnType<typeof createWorldKeeper>

/** A world opens this long before its due time. */
const LEAD_MS = 100
/** The pause before another attempt to open or remove a world. */
const AGAIN_MS = 60_000

/** Opens worlds with due work, and removes expired worlds. */
export function createWorldKeeper(ports: WorldKeeperPorts) {
  const { directory, registry, realTime, onError, onRemoved } = ports
  const { onPaused, onUnopened, ...wakes } = createWakes(ports, (id) =>
    withWorld(id, (world) => registry.use(world, async () => {})),
  )
  const ends = createWorldTimes(realTime, (id) =>
    withWorld(id, async (world) => {
      ends.set(id, realTime.now() + AGAIN_MS)
      await remove(world)
    }),
  )

  function withWorld(id: string, run: (world: WorldRecord) => Promise<void>): void {
    const ran = Promise.resolve(directory.find('id', id)).then((world) => (world ? run(world) : undefined))
    ran.catch((error: unknown) => {
      if (!(error instanceof WorldGoneError)) onError(`world ${id}`, error)
    })
  }

  /** Resolves after the world is deleted. */
  async function remove(world: WorldRecord): Promise<void> {
    wakes.forget(world)
    try {
      await directory.remove(world.id, () => registry.close(world.id))
    } catch (error) {
      onUnopened(world)
      throw error
    }
    onRemoved(world)
    ends.set(world.id, null)
  }

  function watch(world: WorldRecord): void {
    ends.set(world.id, world.expiresAt)
    onPaused(world)
  }

  return {
    start(): void {
      for (const world of directory.list()) watch(world)
    },
    watch,
    /** An open world handles its own due work. */
    onOpened: wakes.forget,
    /** Called after a failed opening. Due work waits for the next attempt. */
    onUnopened,
    onPaused,
    remove,
    stop(): void {
      wakes.stop()
      ends.stop()
    },
  }
}

function createWakes(
  { directory, realTime }: Pick<WorldKeeperPorts, 'directory' | 'realTime'>,
  open: (id: string) => void,
) {
  const times = createWorldTimes(realTime, open)

  function set(world: WorldRecord, notBefore: number): void {
    const at = directory.wakeAt(world)
    times.set(world.id, at === null ? null : Math.max(at - LEAD_MS, notBefore))
  }

  return {
    forget: ({ id }: WorldRecord) => times.set(id, null),
    onPaused: (world: WorldRecord) => set(world, 0),
    onUnopened: (world: WorldRecord) => set(world, realTime.now() + AGAIN_MS),
    stop: times.stop,
  }
}
