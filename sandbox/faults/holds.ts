import type { RealTime } from '../ports.ts'

/** What faults hold back at the moment. */
export interface Holds {
  readonly count: number
  /** Resolves when it is let go. */
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

export function createHolds(realTime: RealTime): Holds {
  const held = new Set<Held>()
  let change = Promise.withResolvers<void>()

  function letGoThose(isMeant: (entry: Held) => boolean): void {
    for (const entry of Array.from(held)) if (isMeant(entry)) entry.release()
  }

  return {
    get count() {
      return held.size
    },
    async wait(faultId, { afterMs, key, signal }) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const entry: Held = { faultId, key, release: resolve }
      const cancel = afterMs === undefined ? () => {} : realTime.after(afterMs, resolve)
      signal?.addEventListener('abort', entry.release, { once: true })
      held.add(entry)
      if (signal?.aborted) resolve()
      await promise
      held.delete(entry)
      cancel()
      signal?.removeEventListener('abort', entry.release)
      change.resolve()
      change = Promise.withResolvers()
    },
    isHolding: (faultId, key) => [...held].some((entry) => entry.faultId === faultId && entry.key === key),
    letGo(which) {
      letGoThose((entry) => ('key' in which ? entry.key === which.key : entry.faultId === which.faultId))
    },
    letAllGo() {
      letGoThose(() => true)
    },
    changed: () => change.promise,
  }
}
