import type { RealTime } from '../core/ports.ts'

/** What faults hold back at the moment. */
export interface Gates {
  readonly count: number
  /** Counts how often everything was released: what was held before is not held on by another fault. */
  readonly clearings: number
  /** Resolves when it is released; at once if there is no such fault any more. */
  wait(faultId: string, options: GateOptions): Promise<void>
  /** Whether something waits under this key to be overtaken; from now on it is overtaken by `by`. */
  claim(key: string, by: string): boolean
  /** Releases what a fault holds back, or what waited to be overtaken. */
  release(which: { readonly faultId: string } | { readonly overtakenBy: string }): void
  releaseAll(): void
  /** Resolves when anything is released. */
  changed(): Promise<void>
}

export interface GateOptions {
  /** Real time; until it is released if left out. */
  readonly afterMs?: number | undefined
  readonly key?: string
  /** Releases it when whoever waits for it is gone. */
  readonly signal?: AbortSignal | undefined
  /** Called when it is released, at once: whoever waits goes on a little later. */
  readonly onRelease?: (() => void) | undefined
}

interface Waiter {
  readonly faultId: string
  readonly key: string | undefined
  overtakenBy?: string
  readonly release: () => void
}

export function createGates(realTime: RealTime, isPresent: (faultId: string) => boolean): Gates {
  const waiters = new Set<Waiter>()
  let change = Promise.withResolvers<void>()
  let clearings = 0

  function releaseWhere(agrees: (waiter: Waiter) => boolean): void {
    for (const waiter of Array.from(waiters)) if (agrees(waiter)) waiter.release()
  }

  return {
    get count() {
      return waiters.size
    },
    get clearings() {
      return clearings
    },
    async wait(faultId, { afterMs, key, signal, onRelease }) {
      if (!isPresent(faultId)) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const waiter: Waiter = { faultId, key, release }
      // At once: what comes after it, even in the same turn, must not find it here.
      function release(): void {
        waiters.delete(waiter)
        resolve()
        onRelease?.()
      }
      const cancel = afterMs === undefined ? () => {} : realTime.after(afterMs, release)
      signal?.addEventListener('abort', release, { once: true })
      waiters.add(waiter)
      if (signal?.aborted) release()
      await promise
      cancel()
      signal?.removeEventListener('abort', release)
      change.resolve()
      change = Promise.withResolvers()
    },
    claim(key, by) {
      const waiter = [...waiters].find((one) => one.key === key && one.overtakenBy === undefined)
      if (waiter) waiter.overtakenBy = by
      return waiter !== undefined
    },
    release(which) {
      releaseWhere((waiter) =>
        'faultId' in which ? waiter.faultId === which.faultId : waiter.overtakenBy === which.overtakenBy,
      )
    },
    releaseAll() {
      clearings++
      releaseWhere(() => true)
    },
    changed: () => change.promise,
  }
}
