import type { RealTime } from '../engine/core/ports.ts'
import type { WorldPause } from '../engine/state/world-record.ts'
import type { Slot } from './world-slot.ts'
import { createWorldTimes } from './world-times.ts'

/** Beyond this number, idle worlds are closed early. */
const MOST_OPEN = 32

const RESTED_MS = 2_000

/** The factor by which a world with a run's report stays open longer. */
const REPORTED_TIMES = 10

/** Closes unused worlds of `slots`, the least recently used first. `close` gets the pause of the world. */
export function createIdleWorlds(
  slots: ReadonlyMap<string, Slot>,
  { realTime, idleMs }: { readonly realTime: Pick<RealTime, 'now' | 'after'>; readonly idleMs: number },
  close: (slot: Slot, pause: WorldPause) => void,
) {
  const traceById = new Map<string, string>()
  const times = createWorldTimes(realTime, (id) => look(id, slots.get(id)))

  function watch(slot: Slot): void {
    traceById.set(slot.record.id, traceOf(slot))
    times.set(slot.record.id, realTime.now() + idleMs)
  }

  /** Closes it if nothing happened since the last look and nothing is due soon. */
  function look(id: string, slot: Slot | undefined): void {
    const trace = traceById.get(id)
    traceById.delete(id)
    if (!slot || slot.ending) return
    if (trace !== traceOf(slot) || !closeIdle(slot)) watch(slot)
  }

  /** Returns true if it closes the world. */
  function closeIdle(slot: Slot): boolean {
    const pause = slot.calls.isIdle() && !slot.ending ? slot.world?.assembled.standstill.read() : undefined
    if (!pause || isAwaited(slot, pause)) return false
    close(slot, pause)
    return true
  }

  /** Returns true if work is due soon, or a run's report may still be read. */
  function isAwaited({ world }: Slot, { wakeAt }: WorldPause): boolean {
    const now = realTime.now()
    const reportedAt = world?.assembled.standstill.reportedAt()
    const isSoon = wakeAt !== null && wakeAt - now < idleMs
    return isSoon || (reportedAt !== undefined && now - reportedAt < REPORTED_TIMES * idleMs)
  }

  return {
    watch,
    /** Limits the memory of open worlds. */
    closeSurplus(): void {
      const before = realTime.now() - RESTED_MS
      const open = [...slots.values()].filter(({ ending }) => !ending)
      let surplus = open.length - MOST_OPEN
      for (const slot of open) {
        if (surplus <= 0 || slot.calledAt > before) return
        if (closeIdle(slot)) surplus--
      }
    },
    stop: times.stop,
  }
}

/** Changes with every event of a world. */
function traceOf({ calls, world }: Slot): string {
  return `${calls.begun()} ${world?.assembled.store.length ?? 0}`
}
