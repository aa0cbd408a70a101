import { setTimeout } from 'node:timers/promises'

/** Access to real time. Tests replace real time with virtual time. */
export interface Stopwatch {
  readonly elapsed: () => number
  readonly pause: (ms: number) => Promise<void>
}

export const stopwatch: Stopwatch = {
  elapsed: () => performance.now(),
  pause: (ms) => setTimeout(ms),
}

export function instant(): string {
  return new Date().toISOString()
}
