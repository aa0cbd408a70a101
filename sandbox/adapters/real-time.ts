import { clearTimeout, setImmediate, setTimeout } from 'node:timers'
import type { RealTime } from '../engine/core/ports.ts'

// Captures the real clock at import, before fake timers could stop the sandbox. Imports timers from Node, because jsdom under
// Jest has no setImmediate.
const { Date, performance } = globalThis
const elapsed = performance.now.bind(performance)

/** The longest delay of Node's timers, in milliseconds. A timer with a longer delay fires immediately. */
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
