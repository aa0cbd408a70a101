import type { Entry } from '../../engine/state/entries.ts'

/** The entries that were written last: most that is read was written just before. */
export interface RecentEntries {
  add(position: number, entry: Entry): void
  get(position: number): Entry | undefined
  clear(): void
}

/** Bounded in number and in the characters of their bodies. */
export function createRecentEntries(most = { entries: 1_024, characters: 4_000_000 }): RecentEntries {
  const entryByPosition = new Map<number, Entry>()
  let characters = 0

  function dropOldest(): void {
    for (const [position, { body }] of entryByPosition) {
      if (entryByPosition.size <= most.entries && characters <= most.characters) return
      entryByPosition.delete(position)
      characters -= body.length
    }
  }

  return {
    add(position, entry) {
      entryByPosition.set(position, entry)
      characters += entry.body.length
      dropOldest()
    },
    get: (position) => entryByPosition.get(position),
    clear() {
      entryByPosition.clear()
      characters = 0
    },
  }
}
