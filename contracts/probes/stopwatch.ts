import { setTimeout } from 'node:timers/promises'

/** Time as a watch needs it, real. */
export interface Stopwatch {
  readonly elapsed: () => number
  /** Resolves after so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>
}

/** Real time. */
export const stopwatch: Stopwatch = {
  elapsed: () => performance.now(),
  pause: (ms) => setTimeout(ms),
}

/** Real time, ISO 8601. */
export function instant(): string {
  return new Date().toISOString()
}
