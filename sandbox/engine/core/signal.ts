/** Calls whoever listens with a value. */
export interface Signal<Value> {
  emit(value: Value): void
  /** Returns a function that ends it. */
  subscribe(listener: (value: Value) => void): () => void
  readonly hasListeners: () => boolean
}

/** A listener that throws does not keep the others from being called: what it threw is thrown by itself, as the bug that it is. */
export function createSignal<Value>(): Signal<Value> {
  const listeners = new Set<(value: Value) => void>()
  return {
    emit(value) {
      for (const listener of listeners) {
        try {
          listener(value)
        } catch (error) {
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    hasListeners: () => listeners.size > 0,
  }
}

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
