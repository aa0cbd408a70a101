/** The minimum length of a short id. A shorter id often matches several ids. Git uses the same minimum. */
const MIN_CHARACTERS = 4

export type IdSearch = (start: string) => Iterable<string>

export function searchAmong(ids: Iterable<string>): IdSearch {
  return (start) => [...ids].filter((id) => id.startsWith(start))
}

/** Returns the id that equals `given`, or all ids with this prefix. Ignores a final `…`, because tables shorten ids this way. */
export function expandShortId(given: string, search: IdSearch): readonly string[] {
  const beginning = given.replace(/(…|\.\.\.)$/, '')
  const found = new Set(search(beginning))
  if (found.has(given)) return [given]
  return beginning.length < MIN_CHARACTERS ? [] : [...found]
}

export function describeAmbiguity(given: string, ids: readonly string[]): string {
  const shown = ids.length > 4 ? [...ids.slice(0, 3), `${ids.length - 3} others`] : ids
  return `Cannot match "${given}" to one id: the ids ${new Intl.ListFormat('en-GB').format(shown)} begin with this text`
}
