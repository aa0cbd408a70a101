import type { RealTime } from '../core/ports.ts'

/** What faults hold back at the moment. */
export interface Gates {
  readonly count: number
  /** Counts how often everything was let go: what was held before is not to be held on by another fault. */
  readonly clearings: number
  /** Resolves when it is let go; at once if there is no such fault any more. */
  wait(faultId: string, options: GateOptions): Promise<void>
  /** Whether something is held under this key that nobody overtakes yet; `by` is who does from now on. */
  claim(key: string, by: string): boolean
  /** Lets go what a fault holds back, or what waited to be overtaken. */
  release(which: { readonly faultId: string } | { readonly overtakenBy: string }): void
  releaseAll(): void
  /** Resolves when anything is let go. */
  changed(): Promise<void>
}

export interface GateOptions {
  /** Real time; until it is let go if left out. */
  readonly afterMs?: number | undefined
  readonly key?: string
  /** Lets go when whoever waits for it is gone. */
  readonly signal?: AbortSignal | undefined
}

interface Held {
  readonly faultId: string
  readonly key: string | undefined
  overtakenBy?: string
  readonly release: () => void
}

export function createGates(realTime: RealTime, isPresent: (faultId: string) => boolean): Gates {
  const held = new Set<Held>()
  let change = Promise.withResolvers<void>()
  let clearings = 0

  function releaseThose(isMeant: (entry: Held) => boolean): void {
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
    claim(key, by) {
      const entry = [...held].find((one) => one.key === key && one.overtakenBy === undefined)
      if (entry) entry.overtakenBy = by
      return entry !== undefined
    },
    release(which) {
      releaseThose((entry) =>
        'faultId' in which ? entry.faultId === which.faultId : entry.overtakenBy === which.overtakenBy,
      )
    },
    releaseAll() {
      clearings++
      releaseThose(() => true)
    },
    changed: () => change.promise,
  }
}
