import type { Moment } from './run-result.ts'

type Told = Moment extends infer Each ? (Each extends Moment ? Omit<Each, 'atMs'> : never) : never

/** What happens in one check's run, in order. */
export interface Record {
  readonly moments: readonly Moment[]
  add(told: Told): void
}

/** `elapsed` is real time, milliseconds of a clock that nobody moves. */
export function createRecord(elapsed: () => number): Record {
  const startedAt = elapsed()
  const moments: Moment[] = []
  return {
    moments,
    add(told) {
      moments.push({ ...told, atMs: elapsed() - startedAt })
    },
  }
}
