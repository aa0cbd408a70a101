import { readingValues, type ReadingValues } from '../spec/readings.ts'
import type { ChosenReadings } from './settings.ts'
import type { Store } from './state/store.ts'

export interface LiveReadings {
  /** One object for all, whose values change: look at it when deciding, and keep no copy of what it says. */
  readonly values: ReadingValues
  /** What was chosen, as a user writes it; the rest has its default. */
  readonly chosen: () => ChosenReadings
}

/** What is chosen at the start wins over what the store has from earlier; what is chosen later wins over both. */
export function createLiveReadings(store: Store, atStart: ChosenReadings): LiveReadings {
  let chosen = { ...store.readings(), ...atStart }
  const values = { ...readingValues(chosen) }
  store.subscribe((head) => {
    if (head.kind !== 'readings') return
    chosen = { ...chosen, ...head.chosen }
    Object.assign(values, readingValues(chosen))
  })
  return { values, chosen: () => chosen }
}
