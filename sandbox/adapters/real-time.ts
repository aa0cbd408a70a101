import type { RealTime } from '../ports.ts'

/** The longest delay that Node's timers take; a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1

export const realTime: RealTime = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(delayMs, 0), LONGEST_MS))
    return () => clearTimeout(timer)
  },
  soon(run) {
    setImmediate(run)
  },
}
