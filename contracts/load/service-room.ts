import type { RunOptions } from '../toolkit/options.ts'

/** Up to so many a service of the run's own keeps in memory, in 250 MB at the most: that takes a tenth less of the processor. */
const MOST_IN_MEMORY = 50_000

/** A service of the run's own gets room for so many notifications. */
export function withServiceRoom(service: RunOptions['service'], count: number): RunOptions['service'] {
  return service.kind === 'own' ? { ...service, isLarge: count > MOST_IN_MEMORY } : service
}
