/** Those who wait until nothing is under way. */
export interface IdleWaiters {
  /** Resolves when nothing is under way; at once if nothing is. */
  idle(): Promise<void>
  /** Something has ended: if it was the last, nobody waits any longer. */
  notify(): void
}

export function createIdleWaiters(isIdle: () => boolean): IdleWaiters {
  const waiting = new Set<() => void>()
  return {
    async idle() {
      if (!isIdle()) await new Promise<void>((resolve) => waiting.add(resolve))
    },
    notify() {
      if (!isIdle()) return
      for (const resolve of waiting) resolve()
      waiting.clear()
    },
  }
}
