/**
 * Keeps the newest values, oldest first. Keeps at least `most` and at most twice as many, and fewer if they are long.
 * A caller without a token can send long texts.
 */
export function createNewest<Value>(most: number, mostCharacters: number) {
  let values: Value[] = []
  let lengths: number[] = []
  let sum = 0
  let dropped = false
  return {
    get length(): number {
      return values.length
    },
    at: (index: number): Value | undefined => values[index],
    list: (): readonly Value[] => values.slice(-most),
    /** True if values were dropped since the buffer was empty. */
    hasDropped: () => dropped,
    /** `characters` is the number of characters that the value keeps in memory. */
    push(value: Value, characters: number): void {
      values.push(value)
      lengths.push(characters)
      sum += characters
      // Removing old values one by one would move all of them each time.
      if (values.length < 2 * most && sum < 2 * mostCharacters) return
      let left = mostCharacters
      const tooOld = lengths.findLastIndex((length) => (left -= length) < 0)
      const first = Math.max(tooOld + 1, values.length - most)
      values = values.slice(first)
      lengths = lengths.slice(first)
      sum = lengths.reduce((before, length) => before + length, 0)
      dropped = true
    },
    clear(): void {
      values = []
      lengths = []
      sum = 0
      dropped = false
    },
  }
}
