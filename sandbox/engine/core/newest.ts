/** Stores the newest `most` to 2 × `most` values. Stores fewer if they are long, because unauthenticated callers can send them. */
export function createNewest<Value>(most: number, mostCharacters: number) {
  let values: Value[] = []
  let lengths: number[] = []
  let sum = 0
  let dropped = false

  function dropBefore(first: number): void {
    values = values.slice(first)
    lengths = lengths.slice(first)
    sum = lengths.reduce((before, length) => before + length, 0)
    dropped ||= first > 0
  }

  return {
    get length(): number {
      return values.length
    },
    at: (index: number): Value | undefined => values[index],
    list: (): readonly Value[] => values.slice(-most),
    hasDropped: () => dropped,
    push(value: Value, characters: number): void {
      values.push(value)
      lengths.push(characters)
      sum += characters
      // Removes old values in batches, because each removal copies the array.
      if (values.length < 2 * most && sum < 2 * mostCharacters) return
      let left = mostCharacters
      const tooOld = lengths.findLastIndex((length) => (left -= length) < 0)
      dropBefore(Math.max(tooOld + 1, values.length - most))
    },
    /** Stores only the newest `count` values, with changes. */
    keepOnly(count: number, change: (value: Value) => Value): void {
      dropBefore(Math.max(0, values.length - count))
      values = values.map(change)
    },
    clear(): void {
      values = []
      lengths = []
      sum = 0
      dropped = false
    },
  }
}
