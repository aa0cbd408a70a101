import { setTimeout } from 'node:timers/promises'

/** Real time. */
export interface Stopwatch {
  readonly elapsed: () => number
  readonly pause: (ms: number) => Promise<void>
}

export const stopwatch: Stopwatch = {
  elapsed: () => performance.now(),
  pause: (ms) => setTimeout(ms),
}

/** Returns real time, ISO 8601. */
export function instant(): string {
  return new Date().toISOString()
}
