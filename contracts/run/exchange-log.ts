import type { RunEvent } from './run-result.ts'

type NewEvent = RunEvent extends infer Each ? (Each extends RunEvent ? Omit<Each, 'atMs'> : never) : never

/** What happens in one check's run, in order. */
export interface ExchangeLog {
  readonly events: readonly RunEvent[]
  /** Milliseconds since the check began. */
  now(): number
  /** `atMs` is when it began; now if left out. */
  add(event: NewEvent, atMs?: number): void
}

/** `elapsed` is real time, milliseconds of a clock that nobody moves. */
export function createExchangeLog(elapsed: () => number): ExchangeLog {
  const startedAt = elapsed()
  const events: RunEvent[] = []
  const now = () => elapsed() - startedAt
  return {
    events,
    now,
    add(event, atMs = now()) {
      events.push({ ...event, atMs })
    },
  }
}
