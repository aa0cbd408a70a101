import { createIdleWaiters, type IdleWaiters } from '../engine/core/idle-waiters.ts'
import type { RealTime } from '../engine/core/ports.ts'
import type { Store } from '../engine/state/store.ts'
import { DEFAULT_WORLD, type WorldDirectory, type WorldRecord } from '../engine/state/world-directory.ts'
import { openWorld, type OpenWorld, type OwnParts, type SharedParts } from './open-world.ts'
import type { WorldTransport } from './world-transports.ts'

/** A world that is open, or about to be. */
export interface Slot {
  readonly record: WorldRecord
  readonly opened: Promise<OpenWorld>
  readonly transport: WorldTransport
  /** Set once it is open: then nobody waits for it. */
  world: OpenWorld | undefined
  /** Set once it is being closed. */
  ending: Promise<void> | undefined
  /** Counts a call as under way until the function is called that it returns. */
  enter(): () => void
  readonly rest: IdleWaiters & { readonly isIdle: () => boolean }
  /** When the last call came, in real time. */
  calledAt: number
  /** How many calls there were so far. */
  readonly uses: () => number
  /** Whether what is under way still is answered no more. */
  isCut: boolean
}

export interface WorldOpenerPorts {
  readonly directory: Pick<WorldDirectory, 'openStore' | 'recoveryPath' | 'takePause'>
  readonly shared: SharedParts
  readonly worldsOf: (world: WorldRecord) => OwnParts['worlds']
  /** What it posts by, as one of several. */
  readonly transportOf: (world: WorldRecord) => WorldTransport
}

/** Makes worlds of records. */
export interface WorldOpener {
  /** Begins to open it and to send. */
  open(world: WorldRecord): Slot
  /** Opens a world that sends nothing. */
  openDraft(world: WorldRecord, store: Store): OpenWorld
}

export function createWorldOpener({
  directory,
  shared,
  transportOf,
  worldsOf,
}: WorldOpenerPorts): WorldOpener {
  const openOver = (record: WorldRecord, store: Store, parts: SharedParts) => {
    const pace = { seed: record.seed, firstSpeed: record.speed }
    const recoveryPath = directory.recoveryPath(record)
    // Access tokens of the default world carry none.
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
    open(record) {
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
    openDraft: (record, store) => openOver(record, store, shared),
  }
}

/** One that cannot be started is closed: nobody else knows of it, and what it has would stay taken. */
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

export interface EndPorts {
  readonly realTime: Pick<RealTime, 'after'>
  readonly graceMs: number
}

/** Ends what is under way, or cuts it off after the grace, and closes it. */
export async function endSlot(slot: Slot, { realTime, graceMs }: EndPorts): Promise<void> {
  const world = await slot.opened.catch(() => undefined)
  if (!world) return
  await world.assembled.hangUp()
  const late = Promise.withResolvers<void>()
  const cancel = realTime.after(graceMs, () => {
    slot.isCut = true
    slot.transport.cut()
    late.resolve()
  })
  await Promise.race([slot.rest.idle(), late.promise])
  await world.assembled.close()
  cancel()
  slot.isCut = true
}
