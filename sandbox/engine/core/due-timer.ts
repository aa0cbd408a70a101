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

/** `readMore` is asked for later due times when there are no more. */
export function createDueTimer(
  clock: Clock,
  onDue: (ordinal: number) => void,
  readMore: () => Iterable<{ readonly dueAt: number; readonly ordinal: number }> = () => [],
): DueTimer {
  const heap = createDueHeap()
  let cancelWake = () => {}
  let wakeTime: number | undefined
  let stopped = false

  function takeDue(now: number): number | undefined {
    if (heap.size === 0) for (const { dueAt, ordinal } of readMore()) heap.add(dueAt, ordinal)
    return heap.takeDue(now)
  }

  function ring(): void {
    if (stopped) return
    const now = clock.now()
    for (let ordinal = takeDue(now); ordinal !== undefined; ordinal = takeDue(now)) onDue(ordinal)
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
