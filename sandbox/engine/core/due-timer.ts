import type { Clock } from './ports.ts'
import { createDueHeap } from './due-heap.ts'

/** Calls back with each job when it falls due, earliest first, with one timer however many wait. */
export interface DueTimer {
  add(dueAt: number, ordinal: number): void
  /** When the next one is due; undefined if none waits. */
  nextDueAt(): number | undefined
  /** Calls back with everything that is due by now. */
  ring(): void
  stop(): void
}

export function createDueTimer(clock: Clock, onDue: (ordinal: number) => void): DueTimer {
  const heap = createDueHeap()
  let cancelWake = () => {}
  let wakeTime: number | undefined
  let stopped = false

  function ring(): void {
    if (stopped) return
    const now = clock.now()
    for (let ordinal = heap.takeDue(now); ordinal !== undefined; ordinal = heap.takeDue(now)) onDue(ordinal)
    const next = heap.firstDueAt()
    if (next === wakeTime) return
    cancelWake()
    wakeTime = next
    cancelWake = next === undefined ? () => {} : clock.wakeAt(next, onWake)
  }

  function onWake(): void {
    wakeTime = undefined
    ring()
  }

  return {
    add(dueAt, ordinal) {
      heap.add(dueAt, ordinal)
      ring()
    },
    nextDueAt: heap.firstDueAt,
    ring,
    stop() {
      stopped = true
      cancelWake()
    },
  }
}
