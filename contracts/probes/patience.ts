import { setTimeout } from 'node:timers/promises'
import type { Patience } from '../run/watches.ts'

/** Real time. */
export const patience: Patience = {
  elapsed: () => performance.now(),
  pause: (ms) => setTimeout(ms),
}

/** Real time, ISO 8601. */
export function instant(): string {
  return new Date().toISOString()
}
