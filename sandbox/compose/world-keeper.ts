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
  /** Nothing of the world is in the store any more. */
  readonly onRemoved: (world: WorldRecord) => void
}

/** Opens worlds in which something falls due, and removes those that have expired, open or not. */
export interface WorldKeeper {
  /** Watches all that there are. */
  start(): void
  watch(world: WorldRecord): void
  /** It is open now, and looks to what is due itself. */
  onOpened(world: WorldRecord): void
  /** It could not be opened: what is due in it waits until that is tried again. */
  onUnopened(world: WorldRecord): void
  /** It was closed. */
  onPaused(world: WorldRecord): void
  /** Resolves when nothing is left of it. */
  remove(world: WorldRecord): Promise<void>
  stop(): void
}

/** How long before something is due its world is opened. */
const LEAD_MS = 100
/** When it is tried again to open or to remove one that could not be. */
const AGAIN_MS = 60_000

export function createWorldKeeper(ports: WorldKeeperPorts): WorldKeeper {
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
    start() {
      for (const world of directory.list()) watch(world)
    },
    watch,
    onOpened: wakes.forget,
    onUnopened,
    onPaused,
    remove,
    stop() {
      wakes.stop()
      ends.stop()
    },
  }
}

/** When closed worlds are to be opened. */
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
