/** The maximum length of a word in characters. A longer word is probably not a misspelling, and comparing it is slow. */
const MAX_LENGTH = 40
/** The maximum number of words to compare. All lists in this project have fewer words. */
const MAX_WORDS = 200

/** Returns the most similar word of a list. Undefined if the list is empty or the word is too long. */
export function findNearest(word: string, words: readonly string[]): string | undefined {
  if (word.length > MAX_LENGTH) return undefined
  const ranked = words
    .slice(0, MAX_WORDS)
    .filter((other) => other.length <= MAX_LENGTH)
    .map((other) => ({ other, gap: editDistance(other, word) }))
  return ranked.toSorted((a, b) => a.gap - b.gap)[0]?.other
}

/** Returns the most similar word of a list. Undefined if at least half of the word's letters differ. */
export function correctSpelling(word: string, words: readonly string[]): string | undefined {
  const meant = findNearest(word, words)
  if (meant === undefined) return undefined
  return editDistance(meant, word) >= Math.max(meant.length, word.length) / 2 ? undefined : meant
}

export function didYouMean(word: string, words: readonly string[]): string {
  const meant = correctSpelling(word, words)
  return meant === undefined ? '' : `. Did you mean "${meant}"?`
}

export function formatChoices(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words)
}

function editDistance(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)]
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [line, character] of left.entries()) {
    const next = [line + 1]
    // A `for…of` loop would take ten times as long here.
    for (let column = 0; column < right.length; column++) {
      const replaced = (row[column] ?? 0) + (character === right[column] ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? 0
}
