import type { RunEvent } from './run-result.ts'

type NewEvent = RunEvent extends infer Each ? (Each extends RunEvent ? Omit<Each, 'atMs'> : never) : never

/** What happens in one check's run, in order. */
export interface ExchangeLog {
  readonly events: readonly RunEvent[]
  add(event: NewEvent): void
}

/** `elapsed` is real time, milliseconds of a clock that nobody moves. */
export function createExchangeLog(elapsed: () => number): ExchangeLog {
  const startedAt = elapsed()
  const events: RunEvent[] = []
  return {
    events,
    add(event) {
      events.push({ ...event, atMs: elapsed() - startedAt })
    },
  }
}
