import { recoveryPathOf, removeSnapshots } from '../adapters/kept-world-place.ts'
import { realTime } from '../adapters/real-time.ts'
import type { Store } from '../engine/state/store.ts'
import type { WorldDirectory } from '../engine/state/world-directory.ts'
import type { WorldRecord } from '../engine/state/world-record.ts'
import { createTranslator } from '../../spec/vocabulary.ts'
import { openWorld, type OpenWorld, type SharedParts } from './open-world.ts'
import { createOwnSnapshots } from './world-recovery.ts'
import { createWorldAdministration, onlyWorld, type CopySource } from './world-administration.ts'
import { createWorldDoors } from './world-doors.ts'
import { createWorldKeeper } from './world-keeper.ts'
import { createWorldRegistry } from './world-registry.ts'
import type { WorldOpening } from './world-slot.ts'
import { createWorldTransports } from './world-transports.ts'
import { createWorldTurns } from './world-turns.ts'

interface ServedWorldsParts {
  /** The default world and its store. */
  readonly first: { readonly record: WorldRecord; readonly store: Store }
  readonly directory: WorldDirectory
  readonly shared: SharedParts
  readonly graceMs: number
  /** True if other machines can reach the sandbox. */
  readonly isReachable: boolean
}

const IDLE_MS = 60_000

export function openServedWorlds(parts: ServedWorldsParts) {
  const { directory, shared, isReachable } = parts
  const { rootToken, options } = shared
  const { record, store } = parts.first
  const turns = createWorldTurns(realTime)
  const transportOf = createWorldTransports({ ...shared, turns, isAlone: () => directory.isEmpty })
  const { registry, keeper } = openOthers(parts, ({ id }) => transportOf(id))
  const use = <Result>(world: WorldRecord, run: (open: OpenWorld) => Promise<Result>) =>
    world === record ? run(first) : registry.use(world, run)
  const worlds = createWorldAdministration({
    directory,
    registry,
    keeper,
    first: record,
    // The default world is open as long as the sandbox is.
    isOpen: ({ id }) => id === record.id || registry.isOpen(id),
    readWorld: (world, run) => use(world, (open) => run(toSource(open))),
    realTime,
    isReachable,
    rootToken,
  })
  const { name, credentials, controlToken } = record
  const first: OpenWorld = openWorld(
    { name, credentials, controlToken, pace: options, store, recoveryPath: recoveryPathOf(options), worlds },
    { ...shared, transport: transportOf(name) },
  )
  const doors = createWorldDoors({
    directory,
    registry,
    fallback: first.assembled,
    turns,
    realTime,
    rootToken,
    translator: createTranslator(options.settings.vocabulary),
    onError: options.onError,
  })

  return {
    first,
    doors,
    async start(): Promise<void> {
      await first.start()
      keeper.start()
    },
    hangUp: () => both(first.assembled.hangUp(), registry.hangUp()),
    close(): Promise<void> {
      keeper.stop()
      return both(first.assembled.close(), registry.closeAll())
    },
  }
}

function toSource({ assembled, controlToken }: OpenWorld): CopySource {
  const { read } = createOwnSnapshots(assembled.bench, controlToken)
  return { speed: assembled.context.clock.speed, pieces: read }
}

/** Opens and removes all worlds except the default one. */
function openOthers(
  { directory, shared, graceMs }: ServedWorldsParts,
  transportOf: WorldOpening['transportOf'],
) {
  const { idleMs = IDLE_MS, onError } = shared.options
  const registry = createWorldRegistry({
    directory,
    shared,
    transportOf,
    worldsOf: (world) => onlyWorld(world, () => registry.isOpen(world.id)),
    realTime,
    graceMs,
    idleMs,
    onOpened: (world) => keeper.onOpened(world),
    onUnopened: (world) => keeper.onUnopened(world),
    onPaused: (world) => keeper.onPaused(world),
  })
  const keeper = createWorldKeeper({
    directory,
    registry,
    realTime,
    onError,
    onRemoved: (world) => removeSnapshots(shared.options, world),
  })
  return { registry, keeper }
}

async function both(...ending: readonly Promise<void>[]): Promise<void> {
  await Promise.all(ending)
}
