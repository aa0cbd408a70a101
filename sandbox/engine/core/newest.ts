/** The newest values, oldest first: at least `most` of them and at most twice as many, unless they are long. */
export interface Newest<Value> {
  readonly length: number
  at(index: number): Value | undefined
  /** At most `most` of them. */
  list(): readonly Value[]
  /** True if values were dropped since the buffer was empty. */
  hasDropped(): boolean
  /** `characters` is how many the value keeps in memory. */
  push(value: Value, characters: number): void
  clear(): void
}

/** Keeps values by their number and by their characters. A caller without a token can send long texts, too. */
export function createNewest<Value>(most: number, mostCharacters: number): Newest<Value> {
  let values: Value[] = []
  let lengths: number[] = []
  let sum = 0
  let dropped = false
  return {
    get length() {
      return values.length
    },
    at: (index) => values[index],
    list: () => values.slice(-most),
    hasDropped: () => dropped,
    push(value, characters) {
      values.push(value)
      lengths.push(characters)
      sum += characters
      // Not at each value: to move all of them costs more than to add one.
      if (values.length < 2 * most && sum < 2 * mostCharacters) return
      let left = mostCharacters
      const tooOld = lengths.findLastIndex((length) => (left -= length) < 0)
      const first = Math.max(tooOld + 1, values.length - most)
      values = values.slice(first)
      lengths = lengths.slice(first)
      sum = lengths.reduce((before, length) => before + length, 0)
      dropped = true
    },
    clear() {
      values = []
      lengths = []
      sum = 0
      dropped = false
    },
  }
}
