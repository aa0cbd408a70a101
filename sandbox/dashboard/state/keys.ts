import { signal, type ReadonlySignal } from '@preact/signals'

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
  /** For the list of keys: it changes when what it says does. */
  readonly bound: ReadonlySignal<readonly Pick<KeyBinding, 'key' | 'about'>[]>
  /** Does what the key does; tells whether it does anything. */
  press(key: string): boolean
}

interface Layer {
  readonly owner: object
  readonly bindings: readonly KeyBinding[]
}

export function createKeys(): Keys {
  let layers: readonly Layer[] = []
  const bound = signal<readonly KeyBinding[]>([])
  const list = () => layers.flatMap(({ bindings }) => bindings)

  function keep(present: readonly Layer[]): void {
    layers = present
    const rows = [
      ...new Map(
        list()
          .toReversed()
          .map((each) => [each.key, each]),
      ).values(),
    ]
    // Every picture binds anew what it closes over; whoever shows the list draws only what reads otherwise.
    if (JSON.stringify(rows) !== JSON.stringify(bound.peek())) bound.value = rows
  }

  return {
    bind(bindings, owner = bindings) {
      const place = layers.findIndex((layer) => layer.owner === owner)
      const layer = { owner, bindings }
      keep(place === -1 ? [layer, ...layers] : layers.with(place, layer))
      return () => keep(layers.filter((each) => each.owner !== owner))
    },
    bound,
    press(key) {
      const binding = list().find((each) => each.key === key)
      binding?.run()
      return binding !== undefined
    },
  }
}
