import type { Clock } from './ports.ts'

/** Stored jobs or payments. Ordinals count them from 0. */
interface DueStore<Work> {
  readonly count: () => number
  readonly at: (ordinal: number) => Work | undefined
  /** Returns the ordinals of the work that is due in a time range, ordered by due time. */
  readonly due: (after: number, until: number) => readonly number[]
  readonly nextDueAt: (after: number) => number | undefined
}

/** Calls `onDue` with each job or payment at its due time. Due times come from the store. A single timer waits for the next due time. */
export function createDueWork<Work extends { readonly ordinal: number; readonly next_due_at: number | null }>(
  clock: Clock,
  store: DueStore<Work>,
  onDue: (work: Work) => void,
) {
  /** The time up to which `onDue` was called for all due work. */
  let rungAt = Number.NEGATIVE_INFINITY
  let durableCount = 0
  let next: number | undefined
  let cancelWake = () => {}
  let isActive = false

  function wakeAt(time: number | undefined): void {
    cancelWake()
    next = time
    cancelWake = time === undefined ? () => {} : clock.wakeAt(time, ring)
  }

  function ring(): void {
    const now = clock.now()
    if (!isActive || next === undefined || next > now) return
    const due = store.due(rungAt, now)
    rungAt = now
    wakeAt(store.nextDueAt(now))
    for (const ordinal of due) {
      // Skips work that is not yet durable. The work is added later, when it is durable.
      const work = ordinal < durableCount ? store.at(ordinal) : undefined
      if (work) onDue(work)
    }
  }

  return {
    start(): void {
      isActive = true
      durableCount = store.count()
      next = Number.NEGATIVE_INFINITY
      ring()
    },
    /** Adds durable work. Calls `onDue` immediately if the work is already due. */
    add(work: Work): void {
      const dueAt = work.next_due_at
      durableCount = Math.max(durableCount, work.ordinal + 1)
      if (dueAt === null || !isActive) return
      if (dueAt <= clock.now()) onDue(work)
      else if (next === undefined || dueAt < next) wakeAt(dueAt)
    },
    nextDueAt: () => next,
    ring,
    stop(): void {
      isActive = false
      cancelWake()
    },
  }
}
