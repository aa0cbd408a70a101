/** Creates a signal that calls listeners with a value, and optionally with a detail. If a listener throws, the error is thrown after all listeners were called. */
export function createSignal<Value, Detail = void>() {
  const listeners = new Set<(value: Value, detail: Detail) => void>()
  return {
    emit(value: Value, detail: Detail): void {
      for (const listener of listeners) {
        try {
          listener(value, detail)
        } catch (error) {
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
    subscribe(listener: (value: Value, detail: Detail) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export function createIdleWaiters(isIdle: () => boolean) {
  const waiting = new Set<() => void>()
  return {
    async idle(): Promise<void> {
      if (!isIdle()) await new Promise<void>((resolve) => waiting.add(resolve))
    },
    notify(): void {
      if (!isIdle()) return
      for (const resolve of waiting) resolve()
      waiting.clear()
    },
  }
}
