import { createIdleWaiters, type IdleWaiters } from '../engine/core/signal.ts'
import type { RealTime } from '../engine/core/ports.ts'
import type { Store } from '../engine/state/store.ts'
import { DEFAULT_WORLD, type WorldPause, type WorldRecord } from '../engine/state/world-record.ts'
import type { WorldDirectory } from '../engine/state/world-directory.ts'
import { recoveryPathOf } from '../adapters/kept-world-place.ts'
import { type OpenWorld, openWorld, type OwnParts, type SharedParts } from './open-world.ts'
import type { WorldTransport } from './world-transports.ts'
import { createWorldTimes } from './world-times.ts'

export interface Slot {
  readonly record: WorldRecord
  readonly opened: Promise<OpenWorld>
  readonly transport: WorldTransport
  /** Set once it is open. */
  world: OpenWorld | undefined
  /** Set once it is closing. */
  ending: Promise<void> | undefined
  /** Counts a call in flight until the returned function is called. */
  enter(): () => void
  readonly rest: IdleWaiters & { readonly isIdle: () => boolean }
  /** In real time. */
  calledAt: number
  readonly uses: () => number
  /** True if calls in flight get no response. */
  isCut: boolean
}

export interface WorldOpenerPorts {
  readonly directory: Pick<WorldDirectory, 'openStore' | 'takePause'>
  readonly shared: SharedParts
  readonly worldsOf: (world: WorldRecord) => OwnParts['worlds']
  readonly transportOf: (world: WorldRecord) => WorldTransport
}

export type WorldOpener = ReturnType<typeof createWorldOpener>

export function createWorldOpener({ directory, shared, transportOf, worldsOf }: WorldOpenerPorts) {
  const openOver = (record: WorldRecord, store: Store, parts: SharedParts) => {
    const pace = { seed: record.seed, firstSpeed: record.speed }
    const recoveryPath = recoveryPathOf(shared.options, record)
    // Access tokens of the default world have no world id.
    const id = record.id === DEFAULT_WORLD ? undefined : record.id
    return openWorld({ ...record, id, pace, store, recoveryPath, worlds: worldsOf(record) }, parts)
  }

  async function openAndStart(record: WorldRecord, parts: SharedParts): Promise<OpenWorld> {
    const world = openOver(record, directory.openStore(record), parts)
    await orClose(world, parts, async () => {
      const pause = directory.takePause(record)
      if (pause) world.assembled.standstill.resume(pause, shared.startedAt)
      await world.start()
    })
    return world
  }

  return {
    open(record: WorldRecord): Slot {
      const transport = transportOf(record)
      const onError = (where: string, error: unknown) => {
        if (!slot.isCut) shared.options.onError(`${where} of world "${record.name}"`, error)
      }
      const { enter, uses, rest } = createCallCount()
      const slot: Slot = {
        record,
        opened: openAndStart(record, { ...shared, transport, options: { ...shared.options, onError } }),
        transport,
        world: undefined,
        ending: undefined,
        calledAt: 0,
        enter,
        uses,
        rest,
        isCut: false,
      }
      slot.opened.then(
        (world) => (slot.world = world),
        () => {},
      )
      return slot
    },
    openDraft: (record: WorldRecord, store: Store) => openOver(record, store, shared),
  }
}

/** Closes a world after a failed start, so that its resources are free again. */
async function orClose(
  { assembled }: OpenWorld,
  { options }: Pick<SharedParts, 'options'>,
  start: () => Promise<void>,
): Promise<void> {
  try {
    await start()
  } catch (error) {
    await assembled.close().catch((other: unknown) => options.onError('close', other))
    throw error
  }
}

function createCallCount(): Pick<Slot, 'enter' | 'uses' | 'rest'> {
  let underWay = 0
  let begun = 0
  const isIdle = () => underWay === 0
  const rest = { ...createIdleWaiters(isIdle), isIdle }
  return {
    rest,
    uses: () => begun,
    enter() {
      underWay++
      begun++
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        underWay--
        rest.notify()
      }
    },
  }
}

/** Ends work in flight, or cuts it off after the grace, and closes the world. */
export async function endSlot(
  slot: Slot,
  { after }: Pick<RealTime, 'after'>,
  graceMs: number,
): Promise<void> {
  const world = await slot.opened.catch(() => undefined)
  if (!world) return
  await world.assembled.hangUp()
  const late = Promise.withResolvers<void>()
  const cancel = after(graceMs, () => {
    slot.isCut = true
    slot.transport.cut()
    late.resolve()
  })
  await Promise.race([slot.rest.idle(), late.promise])
  await world.assembled.close()
  cancel()
  slot.isCut = true
}

export interface IdleWorldsPorts {
  readonly directory: Pick<WorldDirectory, 'keepPause'>
  readonly shared: Pick<SharedParts, 'options'>
  readonly realTime: Pick<RealTime, 'after' | 'now'>
  readonly idleMs: number
  readonly find: (id: string) => Slot | undefined
  readonly forget: (slot: Slot) => void
  readonly onPaused: (world: WorldRecord, pause: WorldPause) => void
}

/** Beyond this number, idle worlds are closed early. */
const MOST_OPEN = 32

const RESTED_MS = 2_000

/** The factor by which a world with a run's report stays open longer. */
const REPORTED_TIMES = 10

export function createIdleWorlds(ports: IdleWorldsPorts) {
  const { realTime, idleMs, find, forget, onPaused } = ports
  const traceById = new Map<string, string>()
  const times = createWorldTimes(realTime, (id) => look(id, find(id)))

  function watch(slot: Slot): void {
    traceById.set(slot.record.id, traceOf(slot))
    times.set(slot.record.id, realTime.now() + idleMs)
  }

  /** Closes it if nothing happened since the last look and nothing is due soon. */
  function look(id: string, slot: Slot | undefined): void {
    if (!slot) traceById.delete(id)
    if (!slot || slot.ending) return
    if (traceById.get(slot.record.id) !== traceOf(slot) || !spare(slot)) watch(slot)
  }

  /** Returns true if it closes the world. */
  function spare(slot: Slot): boolean {
    const { record } = slot
    const pause = slot.rest.isIdle() && !slot.ending ? slot.world?.assembled.standstill.read() : undefined
    if (!pause || isAwaited(slot, pause, ports)) return false
    slot.ending = end(slot, pause).finally(() => {
      forget(slot)
      onPaused(record, pause)
    })
    return true
  }

  function end(slot: Slot, pause: WorldPause | undefined): Promise<void> {
    traceById.delete(slot.record.id)
    return closeSlot(slot, pause, ports)
  }

  /**
   * Limits the memory of open worlds. Closes the least recently used worlds beyond the limit, if they are at rest. Takes all
   * open slots, the least recently used first.
   */
  function spareRested(slots: readonly Slot[]): void {
    const before = realTime.now() - RESTED_MS
    const open = slots.filter(({ ending }) => !ending)
    let surplus = open.length - MOST_OPEN
    for (const slot of open) {
      if (surplus <= 0 || slot.calledAt > before) return
      if (spare(slot)) surplus--
    }
  }

  return {
    watch,
    spareRested,
    /** Closes a world, and keeps its pause if it is at rest. */
    async close(slot: Slot): Promise<void> {
      await slot.opened.catch(() => undefined)
      slot.ending ??= end(slot, slot.world?.assembled.standstill.read()).finally(() => forget(slot))
      await slot.ending
    },
    stop: times.stop,
  }
}

/** Returns true if work is due soon, or a run's report may still be read. */
function isAwaited(
  { world }: Slot,
  { wakeAt }: WorldPause,
  { realTime, idleMs }: Pick<IdleWorldsPorts, 'realTime' | 'idleMs'>,
): boolean {
  const now = realTime.now()
  const reportedAt = world?.assembled.standstill.reportedAt()
  const isSoon = wakeAt !== null && wakeAt - now < idleMs
  return isSoon || (reportedAt !== undefined && now - reportedAt < REPORTED_TIMES * idleMs)
}

/** Keeps the pause if the world is at rest. */
async function closeSlot(
  { record, world }: Slot,
  pause: WorldPause | undefined,
  { directory, shared }: Pick<IdleWorldsPorts, 'directory' | 'shared'>,
): Promise<void> {
  try {
    await world?.assembled.close()
    if (pause) directory.keepPause(record, pause)
  } catch (error) {
    shared.options.onError(`world "${record.name}"`, error)
  }
}

/** Changes with every event of a world. */
function traceOf({ uses, world }: Slot): string {
  return `${uses()} ${world?.assembled.store.length ?? 0}`
}
