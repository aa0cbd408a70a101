import { createIdleWaiters } from '../engine/core/signal.ts'
import type { RealTime } from '../engine/core/ports.ts'
import type { Store } from '../engine/state/store.ts'
import { DEFAULT_WORLD, type WorldPause, type WorldRecord } from '../engine/state/world-record.ts'
import type { WorldDirectory } from '../engine/state/world-directory.ts'
import { recoveryPathOf } from '../adapters/kept-world-place.ts'
import { type OpenWorld, openWorld, type OwnParts, type SharedParts } from './open-world.ts'
import type { WorldTransport } from './world-transports.ts'

export interface Slot {
  readonly record: WorldRecord
  readonly opened: Promise<OpenWorld>
  readonly transport: WorldTransport
  /** Set once it is open. */
  world: OpenWorld | undefined
  /** Set once it is closing. */
  ending: Promise<void> | undefined
  readonly calls: ReturnType<typeof createCallCount>
  /** In real time. */
  calledAt: number
  /** True if calls in flight get no response. */
  isCut: boolean
}

export interface WorldOpening {
  readonly directory: Pick<WorldDirectory, 'openStore' | 'takePause' | 'keepPause'>
  readonly shared: SharedParts
  readonly worldsOf: (world: WorldRecord) => OwnParts['worlds']
  readonly transportOf: (world: WorldRecord) => WorldTransport
}

export function openSlot(record: WorldRecord, opening: WorldOpening): Slot {
  const { options } = opening.shared
  const transport = opening.transportOf(record)
  const onError = (where: string, error: unknown) => {
    if (!slot.isCut) options.onError(`${where} of world "${record.name}"`, error)
  }
  const shared = { ...opening.shared, transport, options: { ...options, onError } }
  const slot: Slot = {
    record,
    opened: openAndStart(record, { ...opening, shared }),
    transport,
    world: undefined,
    ending: undefined,
    calledAt: 0,
    calls: createCallCount(),
    isCut: false,
  }
  slot.opened.then(
    (world) => (slot.world = world),
    () => {},
  )
  return slot
}

/** Opens a world without starting it. */
export function openDraft(record: WorldRecord, store: Store, { shared, worldsOf }: WorldOpening): OpenWorld {
  const pace = { seed: record.seed, firstSpeed: record.speed }
  const recoveryPath = recoveryPathOf(shared.options, record)
  // Access tokens of the default world have no world id.
  const id = record.id === DEFAULT_WORLD ? undefined : record.id
  return openWorld({ ...record, id, pace, store, recoveryPath, worlds: worldsOf(record) }, shared)
}

/** Closes the world after a failed start, so that its resources are free again. */
async function openAndStart(record: WorldRecord, opening: WorldOpening): Promise<OpenWorld> {
  const { directory, shared } = opening
  const world = openDraft(record, directory.openStore(record), opening)
  try {
    const pause = directory.takePause(record)
    if (pause) world.assembled.standstill.resume(pause, shared.startedAt)
    await world.start()
    return world
  } catch (error) {
    await world.assembled.close().catch((other: unknown) => shared.options.onError('close', other))
    throw error
  }
}

function createCallCount() {
  let underWay = 0
  let begun = 0
  const isIdle = () => underWay === 0
  const { idle, notify } = createIdleWaiters(isIdle)
  return {
    isIdle,
    idle,
    begun: () => begun,
    /** Counts a call in flight until the returned function is called. */
    enter() {
      underWay++
      begun++
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        underWay--
        notify()
      }
    },
  }
}

/** Ends work in flight, or cuts it off after the grace, and closes the world. */
export async function endSlot(slot: Slot, after: RealTime['after'], graceMs: number): Promise<void> {
  const world = await slot.opened.catch(() => undefined)
  if (!world) return
  await world.assembled.hangUp()
  const late = Promise.withResolvers<void>()
  const cancel = after(graceMs, () => {
    slot.isCut = true
    slot.transport.cut()
    late.resolve()
  })
  await Promise.race([slot.calls.idle(), late.promise])
  await world.assembled.close()
  cancel()
  slot.isCut = true
}

/** Closes a world and keeps its pause. */
export async function closeSlot(
  { record, world }: Slot,
  pause: WorldPause | undefined,
  { directory, shared }: WorldOpening,
): Promise<void> {
  try {
    await world?.assembled.close()
    if (pause) directory.keepPause(record, pause)
  } catch (error) {
    shared.options.onError(`world "${record.name}"`, error)
  }
}
