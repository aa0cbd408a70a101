/** Fewer characters are too easily those of another id. Ours: git takes four, too. */
const FEWEST = 4

/** The ids that begin so. */
export type IdSearch = (start: string) => Iterable<string>

/** A search among a few ids. */
export function searchAmong(ids: Iterable<string>): IdSearch {
  return (start) => [...ids].filter((id) => id.startsWith(start))
}

/** The ids that a short one stands for: the id itself if it is one, or all that begin with it. Tables end theirs with `…`. */
export function expandShortId(given: string, search: IdSearch): readonly string[] {
  const beginning = given.replace(/(…|\.\.\.)$/, '')
  const found = new Set(search(beginning))
  if (found.has(given)) return [given]
  return beginning.length < FEWEST ? [] : [...found]
}

/** Why an id that several begin with says nothing, as a clause of a message. */
export function describeAmbiguity(given: string, ids: readonly string[]): string {
  const shown = ids.length > 4 ? [...ids.slice(0, 3), `${ids.length - 3} others`] : ids
  return `Cannot tell which is meant by "${given}": ${new Intl.ListFormat('en-GB').format(shown)} begin so`
}
