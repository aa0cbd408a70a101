import type { RealTime } from '../ports.ts'

/** What faults hold back at the moment. */
export interface Holds {
  readonly count: number
  /** Counts how often everything was let go: what was held before is not to be held on by another fault. */
  readonly clearings: number
  /** Resolves when it is let go; at once if there is no such fault any more. */
  wait(faultId: string, options: HoldOptions): Promise<void>
  /** Whether this fault holds something back under this key. */
  isHolding(faultId: string, key: string): boolean
  /** Lets go what a fault holds back, or what is held under a key. */
  letGo(which: { readonly faultId: string } | { readonly key: string }): void
  letAllGo(): void
  /** Resolves when anything is let go. */
  changed(): Promise<void>
}

export interface HoldOptions {
  /** Real time; until it is let go if left out. */
  readonly afterMs?: number | undefined
  readonly key?: string
  /** Lets go when whoever waits for it is gone. */
  readonly signal?: AbortSignal | undefined
}

interface Held {
  readonly faultId: string
  readonly key: string | undefined
  readonly release: () => void
}

export function createHolds(realTime: RealTime, isPresent: (faultId: string) => boolean): Holds {
  const held = new Set<Held>()
  let change = Promise.withResolvers<void>()
  let clearings = 0

  function letGoThose(isMeant: (entry: Held) => boolean): void {
    for (const entry of Array.from(held)) if (isMeant(entry)) entry.release()
  }

  return {
    get count() {
      return held.size
    },
    get clearings() {
      return clearings
    },
    async wait(faultId, { afterMs, key, signal }) {
      if (!isPresent(faultId)) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const entry: Held = { faultId, key, release }
      // At once: what comes after it, even in the same turn, must not find it here.
      function release(): void {
        held.delete(entry)
        resolve()
      }
      const cancel = afterMs === undefined ? () => {} : realTime.after(afterMs, release)
      signal?.addEventListener('abort', release, { once: true })
      held.add(entry)
      if (signal?.aborted) release()
      await promise
      cancel()
      signal?.removeEventListener('abort', release)
      change.resolve()
      change = Promise.withResolvers()
    },
    isHolding: (faultId, key) => [...held].some((entry) => entry.faultId === faultId && entry.key === key),
    letGo(which) {
      letGoThose((entry) => ('key' in which ? entry.key === which.key : entry.faultId === which.faultId))
    },
    letAllGo() {
      clearings++
      letGoThose(() => true)
    },
    changed: () => change.promise,
  }
}
