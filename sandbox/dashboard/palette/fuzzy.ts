/** Scores a text by the query's letters in order. Higher is better. Undefined without a match. */
function matchScore(query: string, text: string): number | undefined {
  const [wanted, given] = [query.toLowerCase().replaceAll(/\s+/g, ''), text.toLowerCase()]
  let score = 0
  let before = -2
  for (const letter of wanted) {
    const place = nextPlace(given, letter, before)
    if (place === -1) return undefined
    // Letters in a row and first letters of words count more.
    if (place === before + 1) score += 3
    else if (isWordStart(given, place)) score += 2
    else score -= Math.min(3, place - before)
    before = place
  }
  return score - given.length / 100
}

/** Finds the next letter: adjacent first, then at a word's start, then anywhere. */
function nextPlace(text: string, letter: string, before: number): number {
  const from = Math.max(0, before + 1)
  if (text[from] === letter) return from
  for (let place = text.indexOf(letter, from); place !== -1; place = text.indexOf(letter, place + 1)) {
    if (isWordStart(text, place)) return place
  }
  return text.indexOf(letter, from)
}

const isWordStart = (text: string, place: number) => place === 0 || /[\s\-_/]/.test(text[place - 1] ?? '')

/** A match of the name ranks above a match of the description. */
const OF_THE_NAME = 8

/** Sorts the matching rows, best first. An empty query keeps all rows in order. */
export function searchRows<Row extends { readonly name: string; readonly about: string }>(
  query: string,
  rows: readonly Row[],
): Row[] {
  if (query.trim() === '') return [...rows]
  return rows
    .flatMap((row) => {
      const named = matchScore(query, row.name)
      if (named !== undefined) return [{ row, score: named + OF_THE_NAME }]
      const score = matchScore(query, `${row.name} ${row.about}`)
      return score === undefined ? [] : [{ row, score }]
    })
    .toSorted((a, b) => b.score - a.score)
    .map(({ row }) => row)
}
