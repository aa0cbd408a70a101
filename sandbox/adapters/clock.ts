import type { Clock, RealTime } from '../ports.ts'

export interface ClockOptions {
  /** Epoch milliseconds that the clock shows first. */
  readonly startAt: number
  /** Sandbox seconds per real second; 1 follows real time, 0 moves only by hand. */
  readonly speed: number
}

/** How often a running clock looks again, at least, so that a real second that was slept through is noticed. */
const LONGEST_NAP_MS = 60_000

interface Waiting {
  readonly time: number
  readonly wake: () => void
  cancelTimer: () => void
}

/** Counts on elapsed time, so that changes of the wall clock do not move it. */
export function createClock(realTime: RealTime, { startAt, speed }: ClockOptions): Clock {
  const waiting = new Set<Waiting>()
  let shownAt = startAt
  let anchor = realTime.elapsed()

  const now = () => Math.floor(shownAt + (realTime.elapsed() - anchor) * speed)

  function arm(entry: Waiting): void {
    if (!waiting.has(entry)) return
    const gapMs = entry.time - now()
    if (gapMs <= 0) {
      waiting.delete(entry)
      entry.wake()
    } else if (speed > 0) {
      entry.cancelTimer = realTime.after(Math.min(Math.ceil(gapMs / speed), LONGEST_NAP_MS), () => arm(entry))
    }
  }

  return {
    mode: modeOf(speed),
    speed,
    now,
    wakeAt(time, wake) {
      const entry: Waiting = { time, wake, cancelTimer() {} }
      waiting.add(entry)
      if (time > now()) arm(entry)
      else entry.cancelTimer = realTime.after(0, () => arm(entry))
      return () => {
        waiting.delete(entry)
        entry.cancelTimer()
      }
    },
    moveTo(time) {
      if (time <= now()) return
      shownAt = time
      anchor = realTime.elapsed()
      for (const entry of Array.from(waiting)) {
        entry.cancelTimer()
        arm(entry)
      }
    },
  }
}

function modeOf(speed: number): Clock['mode'] {
  if (speed === 0) return 'manual'
  return speed === 1 ? 'real' : 'compressed'
}
