import type { RealTime } from '../engine/core/ports.ts'
import type { WorldDirectory, WorldPause, WorldRecord } from '../engine/state/world-directory.ts'
import type { SharedParts } from './open-world.ts'
import type { Slot } from './world-slot.ts'
import { createWorldTimes } from './world-times.ts'

export interface IdleWorldsPorts {
  readonly directory: Pick<WorldDirectory, 'keepPause'>
  readonly shared: Pick<SharedParts, 'options'>
  readonly realTime: Pick<RealTime, 'after' | 'now'>
  readonly idleMs: number
  readonly find: (id: string) => Slot | undefined
  readonly forget: (slot: Slot) => void
  readonly onPaused: (world: WorldRecord, pause: WorldPause) => void
}

/** Closes worlds in which nothing happens. */
export interface IdleWorlds {
  watch(slot: Slot): void
  /**
   * What is open takes memory, used or not: closes what is too many before its time, if nothing is under way in it. Takes all that
   * there are, the one whose last call is longest ago first.
   */
  spareRested(slots: readonly Slot[]): void
  /** Closes it in any case, and keeps how it stands if nothing is under way in it. */
  close(slot: Slot): Promise<void>
  stop(): void
}

/** Beyond so many, one in which nothing was called for so long is closed before its time. */
const MOST_OPEN = 32
const RESTED_MS = 2_000
/** How many times as long as others a world stays open whose report of a run somebody may come for. */
const REPORTED_TIMES = 10

export function createIdleWorlds(ports: IdleWorldsPorts): IdleWorlds {
  const { realTime, idleMs, find, forget, onPaused } = ports
  const traceById = new Map<string, string>()
  const times = createWorldTimes(realTime, (id) => look(id, find(id)))

  function watch(slot: Slot): void {
    traceById.set(slot.record.id, traceOf(slot))
    times.set(slot.record.id, realTime.now() + idleMs)
  }

  /** If nothing has happened since the last look, and nothing will soon. */
  function look(id: string, slot: Slot | undefined): void {
    if (!slot) traceById.delete(id)
    if (!slot || slot.ending) return
    if (traceById.get(slot.record.id) !== traceOf(slot) || !spare(slot)) watch(slot)
  }

  /** Says whether it closes it. */
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
    async close(slot) {
      await slot.opened.catch(() => undefined)
      slot.ending ??= end(slot, slot.world?.assembled.standstill.read()).finally(() => forget(slot))
      await slot.ending
    },
    stop: times.stop,
  }
}

/** Whether something falls due in it soon, or somebody may come for the report of a run, which is lost as it is closed. */
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

/** Keeps how it stands, too, if nothing is under way in it. */
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

/** What changes with whatever happens in a world. */
function traceOf({ uses, world }: Slot): string {
  return `${uses()} ${world?.assembled.store.length ?? 0}`
}
