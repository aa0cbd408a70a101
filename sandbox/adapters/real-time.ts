import { clearTimeout, setImmediate, setTimeout } from 'node:timers'
import type { RealTime } from '../engine/core/ports.ts'

// Read at the import, because a test that fakes timers or the date would stop its sandbox. The timers are
// Node's own, because jsdom's lack setImmediate under Jest.
const { Date, performance } = globalThis
const elapsed = performance.now.bind(performance)

/** The longest delay of Node's timers. A longer one would fire at once. */
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
