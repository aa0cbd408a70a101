/** Fewer characters are too easily those of another id. Ours: git takes four, too. */
const FEWEST = 4

/** The ids that a short one stands for: the id itself if it is one, or all that begin with it. Tables end theirs with `…`. */
export function expandShortId(given: string, ids: Iterable<string>): readonly string[] {
  const all = new Set(ids)
  if (all.has(given)) return [given]
  const beginning = given.replace(/(…|\.\.\.)$/, '')
  return beginning.length < FEWEST ? [] : [...all].filter((id) => id.startsWith(beginning))
}

/** Why an id that several begin with says nothing, as a clause of a message. */
export function describeAmbiguity(given: string, ids: readonly string[]): string {
  const shown = ids.length > 4 ? [...ids.slice(0, 3), `${ids.length - 3} others`] : ids
  return `Cannot tell which is meant by "${given}": ${new Intl.ListFormat('en-GB').format(shown)} begin so`
}
