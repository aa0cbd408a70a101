import type { RealTime } from '../engine/core/ports.ts'
import type { WorldPause } from '../engine/state/world-record.ts'
import type { OpenWorld } from './open-world.ts'

export interface Slot {
  readonly world: OpenWorld
  /** Resolves when the world starts to send notifications. If the start fails, the promise rejects and the world is closed. */
  readonly started: Promise<void>
  /** The real time of the last use. */
  calledAt: number
  /** Resolves when the world is closed. Undefined until the world closes. */
  ending: Promise<void> | undefined
}

/** The maximum number of open worlds, including the default world. If more worlds are open, idle worlds are closed early. */
const MAX_OPEN = 33

const RESTED_MS = 2_000

/** How many times longer a world with a run report may be idle. When a world closes, its run report is lost. */
const REPORTED_TIMES = 10

/** Creates functions that close idle worlds in `slots`, the least recently used first. `close` takes the world's state to save. */
export function createIdleWorlds(
  slots: ReadonlyMap<string, Slot>,
  { realTime, idleMs }: { readonly realTime: Pick<RealTime, 'now' | 'after'>; readonly idleMs: number },
  close: (slot: Slot, pause: WorldPause) => Promise<void>,
) {
  const traceById = new Map<string, string>()
  const times = createWorldTimes(realTime, look)

  function watch(slot: Slot): void {
    const { id } = slot.world.record
    traceById.set(id, traceOf(slot))
    times.set(id, realTime.now() + idleMs)
  }

  /** Closes the world if it has not been used since the last check and no work is due soon. */
  function look(id: string): void {
    const slot = slots.get(id)
    const trace = traceById.get(id)
    traceById.delete(id)
    if (!slot || slot.ending) return
    if (trace !== traceOf(slot) || !closeIdle(slot)) watch(slot)
  }

  function closeIdle(slot: Slot): boolean {
    const { calls, assembled } = slot.world
    const pause = calls.isIdle() && !slot.ending ? assembled.hibernation.read() : undefined
    if (!pause || isAwaited(slot, pause)) return false
    void close(slot, pause)
    return true
  }

  /** Returns true if work is due soon, or a user may still read the report of a run. */
  function isAwaited({ world }: Slot, { wakeAt }: WorldPause): boolean {
    const now = realTime.now()
    const reportedAt = world.assembled.hibernation.reportedAt()
    const isSoon = wakeAt !== null && wakeAt - now < idleMs
    return isSoon || (reportedAt !== undefined && now - reportedAt < REPORTED_TIMES * idleMs)
  }

  return {
    watch,
    closeSurplus(): void {
      const before = realTime.now() - RESTED_MS
      const open = [...slots.values()].filter(({ ending }) => !ending)
      let surplus = open.length - MAX_OPEN
      for (const slot of open) {
        if (surplus <= 0) return
        if (slot.calledAt <= before && closeIdle(slot)) surplus--
      }
    },
    stop: times.stop,
  }
}

/** Returns a text that changes with each call to the world and each stored entry. */
function traceOf({ world }: Slot): string {
  return `${world.calls.begun()} ${world.assembled.store.length}`
}

/** The maximum length of a timer in milliseconds. With a longer timer, a sleep of the machine would be noticed too late. */
const LONGEST_NAP_MS = 60_000

/** Creates a timer for all worlds. The timer calls `onDue` with a world's id at the time set for that world. */
export function createWorldTimes(
  { now, after }: Pick<RealTime, 'now' | 'after'>,
  onDue: (id: string) => void,
) {
  const atById = new Map<string, number>()
  let cancel = () => {}
  let armedFor = Number.POSITIVE_INFINITY
  let isStopped = false

  function arm(): void {
    if (isStopped) return
    const next = Math.min(...atById.values())
    if (next === armedFor) return
    cancel()
    armedFor = next
    if (next === Number.POSITIVE_INFINITY) return
    cancel = after(Math.min(Math.max(0, next - now()), LONGEST_NAP_MS), ring)
  }

  function ring(): void {
    armedFor = Number.POSITIVE_INFINITY
    const time = now()
    const due = [...atById].filter(([, at]) => at <= time)
    for (const [id] of due) atById.delete(id)
    for (const [id] of due) onDue(id)
    arm()
  }

  return {
    set(id: string, at: number | null): void {
      if (at === null) atById.delete(id)
      else atById.set(id, at)
      arm()
    },
    stop(): void {
      isStopped = true
      cancel()
    },
  }
}
