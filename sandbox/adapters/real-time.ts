import { clearTimeout, setImmediate, setTimeout } from 'node:timers'
import type { RealTime } from '../engine/core/ports.ts'

// Captured at import, because a test with fake timers or a fake date would stop the sandbox. Node's own timers are used, because
// jsdom under Jest has no setImmediate.
const { Date, performance } = globalThis
const elapsed = performance.now.bind(performance)

/** The longest delay of Node's timers. A longer delay fires at once. */
const LONGEST_MS = 2 ** 31 - 1

export const realTime: RealTime = {
  now: () => Date.now(),
  elapsed,
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(delayMs, 0), LONGEST_MS))
    return () => clearTimeout(timer)
  },
  soon(run) {
    setImmediate(run)
  },
}
