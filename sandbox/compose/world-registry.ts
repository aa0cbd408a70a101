import { removeSnapshots } from '../adapters/kept-world-place.ts'
import type { HttpRequest, HttpResponse } from '../engine/core/http.ts'
import type { RealTime } from '../engine/core/ports.ts'
import type { Store } from '../engine/state/store.ts'
import type { WorldDirectory } from '../engine/state/world-directory.ts'
import {
  DEFAULT_WORLD,
  WorldGoneError,
  type WorldKey,
  type WorldPause,
  type WorldRecord,
} from '../engine/state/world-record.ts'
import { createIdleWorlds, type Slot, createWorldTimes } from './idle-worlds.ts'
import { openWorld, type OpenWorld, type SharedParts } from './open-world.ts'
import type { ListenerName } from './serve-options.ts'

export type WorldRegistry = ReturnType<typeof createWorldRegistry>

interface RegistryParts {
  readonly directory: WorldDirectory
  readonly shared: SharedParts
  readonly realTime: Pick<RealTime, 'after' | 'now'>
  readonly graceMs: number
}

/**
 * Creates the registry, which opens a world when it is used or has work due. `use` and `serve` throw WorldGoneError and
 * StorageError.
 */
export function createWorldRegistry(parts: RegistryParts) {
  const { directory, shared, realTime } = parts
  const times = createTimes(parts, {
    open: (world) => use(world, async () => {}),
    remove: (world) => remove(world),
  })
  const { slots, use, openDefault, close, closeAll } = createSlots(parts, times)

  async function remove(world: WorldRecord): Promise<void> {
    times.forgetWork(world)
    try {
      await directory.remove(world.id, () => close(world.id))
    } catch (error) {
      times.tryLater(world)
      throw error
    }
    removeSnapshots(shared.options.storePath, world)
    times.forgetEnd(world)
  }

  return {
    openDefault,
    isOpen: (id: string) => slots.has(id),
    /** Returns the world with this key. Returns undefined for an expired world, even if its removal is still in progress. */
    find(key: WorldKey, value: string): WorldRecord | undefined {
      const found = directory.find(key, value)
      const isOver = found?.expiresAt != null && found.expiresAt <= realTime.now()
      return isOver ? undefined : found
    },
    use,
    serve: (record: WorldRecord, door: ListenerName, request: HttpRequest): Promise<HttpResponse> =>
      use(record, (world) => world.answer(door, request)),
    /** Adds a world. `fill` can change the open world before deliveries start. Throws WorldTakenError and StorageError. */
    async add(record: WorldRecord, fill?: (draft: OpenWorld) => Promise<void>): Promise<void> {
      await directory.add(record, fill && ((store) => fillDraft(openWorld(record, store, shared), fill)))
      times.watch(record)
    },
    remove,
    start(): void {
      for (const world of directory.list()) times.watch(world)
    },
    async hangUp(): Promise<void> {
      await Promise.all([...slots.values()].map(({ world }) => world.assembled.hangUp()))
    },
    closeAll(): Promise<void> {
      times.stop()
      return closeAll()
    },
  }
}

async function fillDraft(draft: OpenWorld, fill: (draft: OpenWorld) => Promise<void>) {
  try {
    await fill(draft)
    const pause = draft.assembled.hibernation.read()
    // A `wakeAt` of 0 opens the new world again immediately, because its due times are not yet known.
    return pause && { ...pause, wakeAt: 0 }
  } finally {
    await draft.assembled.close()
  }
}

/** The lead time in milliseconds: a closed world is opened this long before its work is due. */
const LEAD_MS = 100
const AGAIN_MS = 60_000

type Times = ReturnType<typeof createTimes>

/** Calls `open` shortly before work in a closed world becomes due, and `remove` when a world expires. */
function createTimes(
  { directory, realTime, shared }: RegistryParts,
  { open, remove }: Readonly<Record<'open' | 'remove', (world: WorldRecord) => Promise<void>>>,
) {
  const works = createWorldTimes(realTime, (id) => void attempt(id, open))
  const ends = createWorldTimes(realTime, (id) => {
    ends.set(id, realTime.now() + AGAIN_MS)
    void attempt(id, remove)
  })

  /** Calls `run` for a world and reports errors. Ignores the error for a removed world. */
  async function attempt(id: string, run: (world: WorldRecord) => Promise<void>): Promise<void> {
    const world = directory.find('id', id)
    try {
      if (world) await run(world)
    } catch (error) {
      if (!(error instanceof WorldGoneError)) shared.options.onError(`world ${id}`, error)
    }
  }

  function openInTime(world: WorldRecord, notBefore = 0): void {
    const at = directory.wakeAt(world)
    works.set(world.id, at === null ? null : Math.max(at - LEAD_MS, notBefore))
  }

  return {
    openInTime,
    /** Schedules another attempt after a world could not be opened or removed. */
    tryLater: (world: WorldRecord) => openInTime(world, realTime.now() + AGAIN_MS),
    /** Removes the due time of an open world, because an open world handles its due work itself. */
    forgetWork: ({ id }: WorldRecord) => works.set(id, null),
    forgetEnd: ({ id }: WorldRecord) => ends.set(id, null),
    watch(world: WorldRecord): void {
      ends.set(world.id, world.expiresAt)
      openInTime(world)
    },
    stop(): void {
      works.stop()
      ends.stop()
    },
  }
}

const IDLE_MS = 60_000

/** Creates functions that open and close worlds in memory. For concurrent calls, opens a closed world only once. */
function createSlots(parts: RegistryParts, times: Times) {
  const { shared, realTime, graceMs } = parts
  const idleMs = shared.options.idleMs ?? IDLE_MS
  const map = createSlotMap(realTime)
  const { slots, add, touch, forget, end } = map
  const idle = createIdleWorlds(slots, { realTime, idleMs }, async (slot, pause) => {
    await end(slot, (world) => closeAtRest(world, pause, parts))
    times.openInTime(slot.world.record)
  })
  let isStopped = false

  function open(record: WorldRecord): Slot {
    if (isStopped) throw new WorldGoneError(record)
    const world = openOrTryLater(record, parts, times)
    const slot = add(world, startFromPause(world, parts, times))
    idle.closeSurplus()
    slot.started.then(
      () => idle.watch(slot),
      () => forget(slot),
    )
    return slot
  }

  return {
    slots,
    /** Opens the default world. The caller must start the default world. Only `closeAll` closes the default world. */
    openDefault(record: WorldRecord, store: Store): OpenWorld {
      const { world } = add(openWorld(record, store, shared), Promise.resolve())
      world.calls.enter()
      return world
    },
    /** Opens the world if needed, and keeps it open until `run` has resolved. */
    async use<Result>(record: WorldRecord, run: (world: OpenWorld) => Promise<Result>): Promise<Result> {
      // If the world is closing, waits for the end, and then opens it again.
      for (let known = slots.get(record.id); known?.ending; known = slots.get(record.id)) await known.ending
      const slot = slots.get(record.id) ?? open(record)
      const leave = slot.world.calls.enter()
      touch(slot)
      return slot.started.then(() => run(slot.world)).finally(leave)
    },
    async close(id: string): Promise<void> {
      const slot = slots.get(id)
      if (slot) await end(slot, (world) => world.end(realTime.after, graceMs))
    },
    /** Closes all worlds. Saves the clock and the due times of each idle world, except the default world. */
    async closeAll(): Promise<void> {
      isStopped = true
      idle.stop()
      await closeAllAtRest(map, parts)
    },
  }
}

type SlotMap = ReturnType<typeof createSlotMap>

/** Creates the map of open worlds by id. The most recently used world is last. */
function createSlotMap({ now }: Pick<RealTime, 'now'>) {
  const slots = new Map<string, Slot>()

  /** Removes the slot of a world, if no other slot has replaced it. */
  function forget(slot: Slot): void {
    if (slots.get(slot.world.record.id) === slot) slots.delete(slot.world.record.id)
  }

  return {
    slots,
    add(world: OpenWorld, started: Promise<void>): Slot {
      const slot = { world, started, calledAt: now(), ending: undefined }
      slots.set(world.record.id, slot)
      return slot
    },
    touch(slot: Slot): void {
      const { id } = slot.world.record
      slot.calledAt = now()
      slots.delete(id)
      slots.set(id, slot)
    },
    forget,
    /** Closes a world once, but not before it has started. A world that failed to start is already closed. */
    end(slot: Slot, close: (world: OpenWorld) => Promise<void>): Promise<void> {
      const closed = () =>
        slot.started.then(
          () => close(slot.world),
          () => {},
        )
      slot.ending ??= closed().finally(() => forget(slot))
      return slot.ending
    },
  }
}

function openOrTryLater(record: WorldRecord, { directory, shared }: RegistryParts, times: Times): OpenWorld {
  times.forgetWork(record)
  try {
    return openWorld(record, directory.openStore(record), shared)
  } catch (error) {
    times.tryLater(record)
    throw error
  }
}

/** Starts a world with its saved state. If the start fails, closes the world, so that its resources are free again. */
async function startFromPause(
  world: OpenWorld,
  { directory, shared }: RegistryParts,
  times: Times,
): Promise<void> {
  try {
    const pause = directory.takePause(world.record)
    if (pause) world.assembled.hibernation.resume(pause, shared.startedAt)
    await world.start()
  } catch (error) {
    await world.assembled.close().catch((other: unknown) => shared.options.onError('close', other))
    times.tryLater(world.record)
    throw error
  }
}

async function closeAllAtRest({ slots, end }: SlotMap, parts: RegistryParts): Promise<void> {
  const close = (world: OpenWorld) => closeAtRest(world, world.assembled.hibernation.read(), parts)
  await Promise.all([...slots.values()].map((slot) => end(slot, close)))
}

async function closeAtRest(
  { record, assembled }: OpenWorld,
  pause: WorldPause | undefined,
  { directory, shared }: RegistryParts,
): Promise<void> {
  try {
    await assembled.close()
    if (pause && record.id !== DEFAULT_WORLD) directory.keepPause(record, pause)
  } catch (error) {
    shared.options.onError(`world "${record.name}"`, error)
  }
}
