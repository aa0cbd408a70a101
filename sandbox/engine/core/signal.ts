/** Creates a signal that calls listeners with a value. If a listener throws, the error is thrown after all listeners were called. */
export function createSignal<Value>() {
  const listeners = new Set<(value: Value) => void>()
  return {
    emit(value: Value): void {
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
    subscribe(listener: (value: Value) => void): () => void {
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
