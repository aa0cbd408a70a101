/** Beyond this many characters a word is no misspelling, and comparing it takes long. */
const LONGEST = 40
/** Whoever sends a word may send what it is compared with, too. No list that we know is as long. */
const MOST_WORDS = 200

/** The one of `words` that `word` most likely was meant to be; undefined if there are none, or it is no word at all. */
export function findNearest(word: string, words: readonly string[]): string | undefined {
  if (word.length > LONGEST) return undefined
  const ranked = words
    .slice(0, MOST_WORDS)
    .filter((other) => other.length <= LONGEST)
    .map((other) => ({ other, gap: editDistance(other, word) }))
  return ranked.toSorted((a, b) => a.gap - b.gap)[0]?.other
}

/** The same, but none where half of the letters differ: that is no misspelling, but another word. */
export function correctSpelling(word: string, words: readonly string[]): string | undefined {
  const meant = findNearest(word, words)
  if (meant === undefined) return undefined
  return editDistance(meant, word) >= Math.max(meant.length, word.length) / 2 ? undefined : meant
}

/** `. Did you mean "items"?` where `word` is a misspelling of one of `words`; nothing where it is another word. */
export function didYouMean(word: string, words: readonly string[]): string {
  const meant = correctSpelling(word, words)
  return meant === undefined ? '' : `. Did you mean "${meant}"?`
}

/** How many characters must be put in, taken out or replaced. */
function editDistance(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)]
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [line, character] of left.entries()) {
    const next = [line + 1]
    // An iterator here takes ten times as long.
    for (let column = 0; column < right.length; column++) {
      const replaced = (row[column] ?? 0) + (character === right[column] ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? 0
}
