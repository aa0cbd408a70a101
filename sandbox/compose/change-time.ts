import type { Clock } from '../engine/core/ports.ts'
import { LATEST_NOW } from '../engine/core/timestamp.ts'
import type { Store } from '../engine/state/store.ts'
import type { Write } from '../engine/state/write.ts'

/**
 * The times of changes. Each change of an object is at least a millisecond after the one before, on every clock, so that
 * `updated_at` tells which came last. Reading: clocks
 */
export interface ChangeTime {
  /** When a change happens that is decided now. Sandbox time, epoch milliseconds. */
  next(): number
  /** The same for these writes: the use of a fault is counted, and changes nothing. */
  of(writes: readonly Write[]): number
  /** Moves the clock to the last change on record. */
  pass(): void
}

export function createChangeTime(
  clock: Clock,
  { latestAt, changedAt }: Pick<Store, 'latestAt' | 'changedAt'>,
): ChangeTime {
  const next = () => Math.max(clock.now(), Math.min(changedAt() + 1, LATEST_NOW))
  return {
    next,
    of: (writes) => (writes.every(({ kind }) => kind === 'fault-use') ? clock.now() : next()),
    pass: () => clock.showAtLeast(latestAt()),
  }
}
