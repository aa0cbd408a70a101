/** How well a text has the letters of a query in their order; higher is better. Undefined if it has not. */
function matchScore(query: string, text: string): number | undefined {
  const [wanted, given] = [query.toLowerCase().replaceAll(/\s+/g, ''), text.toLowerCase()]
  let score = 0
  let before = -2
  for (const letter of wanted) {
    const place = nextPlace(given, letter, before)
    if (place === -1) return undefined
    // Letters in a row, and those that begin a word, are what was meant.
    if (place === before + 1) score += 3
    else if (isWordStart(given, place)) score += 2
    else score -= Math.min(3, place - before)
    before = place
  }
  return score - given.length / 100
}

/** The letter right after the one before, at the next beginning of a word, or anywhere further on. */
function nextPlace(text: string, letter: string, before: number): number {
  const from = Math.max(0, before + 1)
  if (text[from] === letter) return from
  for (let place = text.indexOf(letter, from); place !== -1; place = text.indexOf(letter, place + 1)) {
    if (isWordStart(text, place)) return place
  }
  return text.indexOf(letter, from)
}

const isWordStart = (text: string, place: number) => place === 0 || /[\s\-_/]/.test(text[place - 1] ?? '')

/** A text that matches by itself is meant rather than one whose description does. */
const OF_THE_NAME = 8

/** The rows that match by name or by description, best first; all in their order where nothing is asked for. */
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
