/** What one drawn payment tries: a value for each of several aspects. */
export type Traits = Readonly<Record<string, string>>

/** Counts which pairs of traits a receiver has seen, so that the next draw prefers others. */
export interface Coverage {
  /** How many pairs of these were not seen yet. */
  newPairs(traits: Traits): number
  add(traits: Traits): void
  /** The pairs that were seen, of all that can be drawn; 0 to 1. */
  share(): number
}

/** `values` are all that each aspect can have. */
export function createCoverage(values: Readonly<Record<string, readonly string[]>>): Coverage {
  const seen = new Set<string>()
  const aspects = Object.keys(values).toSorted()
  const sizes = aspects.map((aspect) => values[aspect]?.length ?? 0)
  let total = 0
  for (const [index, size] of sizes.entries())
    total += size * sizes.slice(index + 1).reduce((sum, each) => sum + each, 0)
  const pairsOf = (traits: Traits) =>
    aspects.flatMap((first, index) =>
      aspects.slice(index + 1).map((second) => `${first}=${traits[first]} ${second}=${traits[second]}`),
    )
  return {
    newPairs: (traits) => pairsOf(traits).filter((pair) => !seen.has(pair)).length,
    add(traits) {
      for (const pair of pairsOf(traits)) seen.add(pair)
    },
    share: () => (total === 0 ? 1 : seen.size / total),
  }
}
