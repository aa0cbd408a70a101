import type { RealTime } from '../core/ports.ts'

/** How long an attempt waits, in real time, that could not start or not be recorded. */
const DEFERRAL_MS = 1_000

/** Jobs that are taken up again in a moment. */
export interface Deferrals {
  /** How many wait. */
  readonly size: number
  add(id: string): void
  stop(): void
}

export function createDeferrals(realTime: RealTime, takeUp: (id: string) => void): Deferrals {
  const cancels = new Set<() => void>()
  return {
    get size() {
      return cancels.size
    },
    add(id) {
      const cancel = realTime.after(DEFERRAL_MS, () => {
        cancels.delete(cancel)
        takeUp(id)
      })
      cancels.add(cancel)
    },
    stop() {
      for (const cancel of cancels) cancel()
    },
  }
}
