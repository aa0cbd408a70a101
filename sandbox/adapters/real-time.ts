import { clearTimeout, setImmediate, setTimeout } from 'node:timers'
import type { RealTime } from '../engine/core/ports.ts'

// As they are now: a test that fakes timers or the date means its own code, and would stop the sandbox it runs against. The timers
// are Node's own: jsdom has others under Jest, and no setImmediate.
const { Date, performance } = globalThis
const elapsed = performance.now.bind(performance)

/** The longest delay that Node's timers take; a longer one would fire at once. */
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
