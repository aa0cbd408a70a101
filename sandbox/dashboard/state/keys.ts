import { computed, signal, type ReadonlySignal } from '@preact/signals'

/** A key, or a key with Ctrl before it, such as `Ctrl-k`, and what it does. */
export interface KeyBinding {
  readonly key: string
  /** For the list of keys. */
  readonly about: string
  readonly run: () => void
}

/** What each key does at present: of two that bind the same key, the newer one has it. */
export interface Keys {
  /** Binds keys until what it returns is called. */
  bind(bindings: readonly KeyBinding[]): () => void
  readonly bound: ReadonlySignal<readonly KeyBinding[]>
  /** Does what the key does; tells whether it does anything. */
  press(key: string): boolean
}

export function createKeys(): Keys {
  const layers = signal<readonly (readonly KeyBinding[])[]>([])
  const bound = computed(() => [
    ...new Map(
      layers.value
        .flat()
        .toReversed()
        .map((each) => [each.key, each]),
    ).values(),
  ])
  return {
    bind(bindings) {
      layers.value = [bindings, ...layers.peek()]
      return () => (layers.value = layers.peek().filter((layer) => layer !== bindings))
    },
    bound,
    press(key) {
      const binding = layers
        .peek()
        .flat()
        .find((each) => each.key === key)
      binding?.run()
      return binding !== undefined
    },
  }
}
