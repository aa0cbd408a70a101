import { signal, type ReadonlySignal } from '@preact/signals'

/** A key such as `j` or `Ctrl-k`, and its action. */
export interface KeyBinding {
  readonly key: string
  readonly about: string
  readonly run: () => void
}

/** The key bindings. The newest binding of a key wins. */
export interface Keys {
  /** Binds keys until the returned function is called. Replaces the owner's earlier bindings. */
  bind(bindings: readonly KeyBinding[], owner?: object): () => void
  /** The bindings for the help. */
  readonly bound: ReadonlySignal<readonly Pick<KeyBinding, 'key' | 'about'>[]>
  /** Runs the key's action. Returns true if there is one. */
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
    // Every render binds again, so the help is updated only after a real change.
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
