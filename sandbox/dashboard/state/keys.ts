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
  /** Binds keys until what it returns is called, in place of what the same owner bound before. */
  bind(bindings: readonly KeyBinding[], owner?: object): () => void
  readonly bound: ReadonlySignal<readonly KeyBinding[]>
  /** Does what the key does; tells whether it does anything. */
  press(key: string): boolean
}

interface Layer {
  readonly owner: object
  readonly bindings: readonly KeyBinding[]
}

export function createKeys(): Keys {
  const layers = signal<readonly Layer[]>([])
  const list = (present: readonly Layer[]) => present.flatMap(({ bindings }) => bindings)
  const bound = computed(() => [
    ...new Map(
      list(layers.value)
        .toReversed()
        .map((each) => [each.key, each]),
    ).values(),
  ])
  return {
    bind(bindings, owner = bindings) {
      const present = layers.peek()
      const place = present.findIndex((layer) => layer.owner === owner)
      const layer = { owner, bindings }
      layers.value = place === -1 ? [layer, ...present] : present.with(place, layer)
      return () => (layers.value = layers.peek().filter((each) => each.owner !== owner))
    },
    bound,
    press(key) {
      const binding = list(layers.peek()).find((each) => each.key === key)
      binding?.run()
      return binding !== undefined
    },
  }
}
