import { signal } from '@preact/signals'

/** A key such as `j` or `Ctrl-k`, and its action. */
export interface KeyBinding {
  readonly key: string
  readonly about: string
  readonly run: () => void
}

/** Creates the key bindings. The newest binding of a key wins. */
export function createKeys() {
  /** The bindings of each owner, in the order of their first binding. */
  const bindingsByOwner = new Map<object, readonly KeyBinding[]>()
  const bindingByKey = () => new Map([...bindingsByOwner.values()].flat().map((each) => [each.key, each]))
  /** The key bindings that the help lists. */
  const bound = signal<readonly KeyBinding[]>([])

  function list(): void {
    const rows = [...bindingByKey().values()]
    // Every render binds the keys again, so the signal is set only if the bindings differ.
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
    /** Runs the action of a key. Returns true if the key has an action. */
    press(key: string): boolean {
      const binding = bindingByKey().get(key)
      binding?.run()
      return binding !== undefined
    },
  }
}
