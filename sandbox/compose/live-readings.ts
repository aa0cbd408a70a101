import { readingValues, type ReadingValues } from '../../spec/readings.ts'
import type { ChosenReadings } from '../engine/core/settings.ts'
import type { Store } from '../engine/state/store.ts'

export interface LiveReadings {
  /** As they are chosen now. */
  readonly values: () => ReadingValues
  /** What was chosen, as a user writes it; the rest has its default. */
  readonly chosen: () => ChosenReadings
  /** Takes what the store has now, after it was replaced; `chosen` wins over it, and over what was chosen at the start. */
  readonly reload: (chosen?: ChosenReadings) => void
}

/** What is chosen at the start wins over what the store has from earlier; what is chosen later wins over both. */
export function createLiveReadings(store: Store, atStart: ChosenReadings): LiveReadings {
  let chosen: ChosenReadings = {}
  let values = readingValues(chosen)
  function choose(next: ChosenReadings): void {
    values = readingValues(next)
    chosen = next
  }
  const reload = (restored: ChosenReadings = {}) => choose({ ...store.readings(), ...atStart, ...restored })
  reload()
  store.subscribe((head) => {
    if (head.kind === 'readings') choose({ ...chosen, ...head.chosen })
  })
  return { values: () => values, chosen: () => chosen, reload }
}
