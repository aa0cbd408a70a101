import type { RunEvent } from './run-result.ts'

type Told = RunEvent extends infer Each ? (Each extends RunEvent ? Omit<Each, 'atMs'> : never) : never

/** What happens in one check's run, in order. */
export interface Record {
  readonly events: readonly RunEvent[]
  add(told: Told): void
}

/** `elapsed` is real time, milliseconds of a clock that nobody moves. */
export function createRecord(elapsed: () => number): Record {
  const startedAt = elapsed()
  const events: RunEvent[] = []
  return {
    events,
    add(told) {
      events.push({ ...told, atMs: elapsed() - startedAt })
    },
  }
}
