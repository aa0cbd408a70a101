import type { Entry } from '../../engine/state/entries.ts'

/** The entries that were written last: most that is read was written just before. */
export interface RecentEntries {
  add(position: number, entry: Entry): void
  get(position: number): Entry | undefined
  clear(): void
}

/** Bounded in number and in the characters of their bodies. Positions are added in their order. */
export function createRecentEntries(most = { entries: 1_024, characters: 4_000_000 }): RecentEntries {
  /** Each at its position, modulo their number. */
  let entries: (Entry | undefined)[] = []
  let [oldest, end] = [0, 0]
  let characters = 0

  function dropOldest(): void {
    const slot = oldest++ % most.entries
    characters -= entries[slot]?.body.length ?? 0
    entries[slot] = undefined
  }

  function clear(): void {
    entries = []
    oldest = end
    characters = 0
  }

  return {
    add(position, entry) {
      if (position !== end) {
        end = position
        clear()
      }
      if (end - oldest === most.entries) dropOldest()
      entries[end++ % most.entries] = entry
      characters += entry.body.length
      while (characters > most.characters) dropOldest()
    },
    get: (position) => (position >= oldest && position < end ? entries[position % most.entries] : undefined),
    clear,
  }
}
