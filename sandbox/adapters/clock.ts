import type { Clock, RealTime } from '../engine/core/ports.ts'
import { LATEST_NOW } from '../engine/core/timestamp.ts'

export interface ClockOptions {
  /** The time that the clock shows at its start, in milliseconds since the Unix epoch. */
  readonly startAt: number
  /** Sandbox seconds per real second. 1 is real time. 0 is a manual clock. */
  readonly speed: number
}

/** The longest timer of the clock, in milliseconds. With this limit, the clock soon detects that the machine was asleep. */
const LONGEST_NAP_MS = 60_000

/** Creates a clock that is based on elapsed time. Changes to the wall clock do not affect this clock. */
export function createClock(realTime: RealTime, { startAt, speed: atFirst }: ClockOptions): Clock {
  let speed = atFirst
  let shownAt = startAt
  let anchor = realTime.elapsed()
  let earliest = startAt
  const now = () =>
    Math.min(LATEST_NOW, Math.max(earliest, Math.floor(shownAt + (realTime.elapsed() - anchor) * speed)))
  const wakeUps = createWakeUps(realTime, { now, speed: () => speed })

  function continueFrom(time: number): void {
    shownAt = time
    earliest = time
    anchor = realTime.elapsed()
  }

  return {
    get mode() {
      return clockMode(speed)
    },
    get speed() {
      return speed
    },
    now,
    wakeAt: wakeUps.add,
    moveTo(time) {
      if (time <= now()) return
      continueFrom(time)
      wakeUps.armAll()
    },
    showAtLeast(time) {
      if (time <= now()) return
      earliest = time
      wakeUps.armAll()
    },
    setSpeed(next) {
      continueFrom(now())
      speed = next
      wakeUps.armAll()
    },
    restartAt(time, next) {
      wakeUps.clear()
      continueFrom(time)
      speed = next
    },
  }
}

interface WakeUp {
  readonly time: number
  readonly wake: () => void
  cancelTimer: () => void
}

interface ClockRate {
  readonly now: () => number
  readonly speed: () => number
}

function createWakeUps(realTime: RealTime, { now, speed }: ClockRate) {
  const waiting = new Set<WakeUp>()

  function arm(entry: WakeUp): void {
    if (!waiting.has(entry)) return
    const gapMs = entry.time - now()
    if (gapMs <= 0) {
      waiting.delete(entry)
      entry.wake()
    } else if (speed() > 0) {
      const napMs = Math.min(Math.ceil(gapMs / speed()), LONGEST_NAP_MS)
      entry.cancelTimer = realTime.after(napMs, () => arm(entry))
    }
  }

  return {
    add(time: number, wake: () => void) {
      const entry: WakeUp = { time, wake, cancelTimer() {} }
      waiting.add(entry)
      if (time > now()) arm(entry)
      else entry.cancelTimer = realTime.after(0, () => arm(entry))
      return () => {
        waiting.delete(entry)
        entry.cancelTimer()
      }
    },
    armAll() {
      for (const entry of Array.from(waiting)) {
        entry.cancelTimer()
        arm(entry)
      }
    },
    clear() {
      for (const { cancelTimer } of waiting) cancelTimer()
      waiting.clear()
    },
  }
}

function clockMode(speed: number): Clock['mode'] {
  if (speed === 0) return 'manual'
  return speed === 1 ? 'real' : 'compressed'
}
