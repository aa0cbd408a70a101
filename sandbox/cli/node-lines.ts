import type { NamedWorld } from '../compose/serve-options.ts'
import { passes, type StorageError } from '../engine/state/log.ts'
import { printWarning } from './failure.ts'

/** What a node prints of its store: one line for all worlds when it is away and when it is back, and one for each that it has lost. */
export function createStoreLines(print = printWarning): {
  onStorage(problem: StorageError | undefined, world: Pick<NamedWorld, 'name'>): void
} {
  const away = new Set<string>()
  return {
    onStorage(problem, { name }) {
      const wasAway = away.size > 0
      if (problem && passes(problem)) away.add(name)
      else away.delete(name)
      if (problem && !passes(problem)) print(`World "${name}" is dropped here: ${problem.message}`)
      else if (problem && !wasAway)
        print(`${problem.message}; changes are refused and nothing is sent until it is back`)
      else if (!problem && wasAway && away.size === 0)
        print('The store can be written again: changes are taken, and what is due is sent')
    },
  }
}
