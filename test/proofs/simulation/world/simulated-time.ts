import type { RealTime } from '../../../../sandbox/engine/core/ports.ts'

/** Real time that stands still until nothing else can happen, and then goes to whatever is due next. */
export interface SimulatedTime extends RealTime {
  /** Goes to the next timer, and runs it; false if there is none. */
  goOn(): boolean
  /** Sets the wall clock forward or back; what has elapsed stays. */
  shiftWallClock(byMs: number): void
  /** Forgets all timers: their process is gone. */
  clear(): void
}

interface Timer {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

export function createSimulatedTime(start: number): SimulatedTime {
  const timers = new Set<Timer>()
  let elapsed = 0
  let wallClock = start
  let order = 0
  return {
    now: () => wallClock,
    elapsed: () => elapsed,
    after(delayMs, run) {
      const timer = { at: elapsed + delayMs, order: order++, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    soon: (run) => queueMicrotask(run),
    goOn() {
      const [next] = [...timers].toSorted((a, b) => a.at - b.at || a.order - b.order)
      if (!next) return false
      timers.delete(next)
      const byMs = Math.max(0, next.at - elapsed)
      elapsed += byMs
      wallClock += byMs
      next.run()
      return true
    },
    shiftWallClock(byMs) {
      wallClock += byMs
    },
    clear: () => timers.clear(),
  }
}
