/** Tells whoever listens. */
export interface Signal<Value> {
  tell(value: Value): void
  /** Returns the way to end it. */
  subscribe(listener: (value: Value) => void): () => void
}

export function createSignal<Value>(): Signal<Value> {
  const listeners = new Set<(value: Value) => void>()
  return {
    tell(value) {
      for (const listener of listeners) listener(value)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
