/** The values that were read or written last, by key: what is in use is read again and again. */
export interface Recent<Key, Value> {
  get(key: Key): Value | undefined
  /** Keeps the value, and returns it. */
  set(key: Key, value: Value): Value
  delete(key: Key): void
  clear(): void
}

/** Keeps at most so many values. */
export function createRecent<Key, Value>(most: number): Recent<Key, Value> {
  const valueByKey = new Map<Key, Value>()
  return {
    get: (key) => valueByKey.get(key),
    set(key, value) {
      valueByKey.delete(key)
      valueByKey.set(key, value)
      const oldest = valueByKey.size > most ? valueByKey.keys().next() : undefined
      if (oldest?.done === false) valueByKey.delete(oldest.value)
      return value
    },
    delete: (key) => void valueByKey.delete(key),
    clear: () => valueByKey.clear(),
  }
}
