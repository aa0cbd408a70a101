import type { RealTime } from '../core/ports.ts'

export type Gates = ReturnType<typeof createGates>

export interface GateOptions {
  /** The maximum delay in real milliseconds. By default, the delay has no limit. */
  readonly afterMs?: number | undefined
  readonly key?: string
  readonly signal?: AbortSignal | undefined
  /** Called when the delay ends, before the waiting code continues. */
  readonly onRelease?: (() => void) | undefined
}

interface Waiter {
  readonly faultId: string
  readonly key: string | undefined
  overtakenBy?: string
  readonly release: () => void
}

export function createGates(realTime: RealTime, isPresent: (faultId: string) => boolean) {
  const waiters = new Set<Waiter>()
  let change = Promise.withResolvers<void>()
  let clearings = 0

  function releaseWhere(agrees: (waiter: Waiter) => boolean): void {
    for (const waiter of Array.from(waiters)) if (agrees(waiter)) waiter.release()
  }

  return {
    get count(): number {
      return waiters.size
    },
    /** The number of `releaseAll` calls. After such a call, a delayed delivery also skips the delays of its other faults. */
    get clearings(): number {
      return clearings
    },
    /** Resolves when the delay ends. Resolves immediately if the fault was removed. */
    async wait(faultId: string, { afterMs, key, signal, onRelease }: GateOptions): Promise<void> {
      if (!isPresent(faultId)) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const waiter: Waiter = { faultId, key, release }
      // Removes the waiting entry immediately, so that no other code in this turn of the event loop finds it.
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
    /** Returns true if a delayed delivery with this key waits to be overtaken. Records `by` as the overtaking delivery. */
    claim(key: string, by: string): boolean {
      const waiter = [...waiters].find((one) => one.key === key && one.overtakenBy === undefined)
      if (waiter) waiter.overtakenBy = by
      return waiter !== undefined
    },
    release(which: { readonly faultId: string } | { readonly overtakenBy: string }): void {
      releaseWhere((waiter) =>
        'faultId' in which ? waiter.faultId === which.faultId : waiter.overtakenBy === which.overtakenBy,
      )
    },
    releaseAll(): void {
      clearings++
      releaseWhere(() => true)
    },
    changed: (): Promise<void> => change.promise,
  }
}
