import { signal } from '@preact/signals'

export interface KeyBinding {
  readonly key: string
  readonly about: string
  readonly run: () => void
}

/** Creates the key bindings of the page. If a key has several bindings, the newest binding is used. */
export function createKeys() {
  /** The key bindings by owner, in the order in which the owners first bound keys. */
  const bindingsByOwner = new Map<object, readonly KeyBinding[]>()
  const bindingByKey = () => new Map([...bindingsByOwner.values()].flat().map((each) => [each.key, each]))
  const bound = signal<readonly KeyBinding[]>([])

  function list(): void {
    const rows = [...bindingByKey().values()]
    // Sets the signal only if the bindings differ, because every render binds the keys again.
    if (JSON.stringify(rows) !== JSON.stringify(bound.peek())) bound.value = rows
  }

  return {
    bound,
    /** Binds keys until the returned function is called. Replaces earlier bindings of the same owner. */
    bind(bindings: readonly KeyBinding[], owner: object = bindings) {
      bindingsByOwner.set(owner, bindings)
      list()
      return () => {
        bindingsByOwner.delete(owner)
        list()
      }
    },
    press(key: string): boolean {
      const binding = bindingByKey().get(key)
      binding?.run()
      return binding !== undefined
    },
  }
}
