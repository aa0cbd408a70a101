import type { Clock } from './ports.ts'

/** Calls back with each ordinal when it falls due, earliest first. Uses one timer of the clock for all of them. */
export function createDueTimer(clock: Clock, onDue: (ordinal: number) => void) {
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
    add(dueAt: number, ordinal: number): void {
      heap.add({ dueAt, ordinal })
      ring()
    },
    nextDueAt: heap.firstDueAt,
    ring,
    stop(): void {
      stopped = true
      cancelWake()
    },
  }
}

interface Due {
  readonly dueAt: number
  readonly ordinal: number
}

/** Creates a heap. The first entry has the earliest due time, and the smallest ordinal among equal times. */
function createDueHeap() {
  const heap: Due[] = []
  const precedes = (a: Due, b: Due) => (a.dueAt === b.dueAt ? a.ordinal < b.ordinal : a.dueAt < b.dueAt)

  function raise(due: Due, from: number): void {
    let at = from
    for (;;) {
      const above = heap[(at - 1) >> 1]
      if (!above || !precedes(due, above)) break
      heap[at] = above
      at = (at - 1) >> 1
    }
    heap[at] = due
  }

  function sink(due: Due): void {
    let at = 0
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
      const isRight = left !== undefined && right !== undefined && precedes(right, left)
      const child = isRight ? right : left
      if (!child || !precedes(child, due)) break
      heap[at] = child
      at = 2 * at + (isRight ? 2 : 1)
    }
    heap[at] = due
  }

  return {
    add: (due: Due) => raise(due, heap.length),
    firstDueAt: () => heap[0]?.dueAt,
    takeDue(now: number): number | undefined {
      const [first] = heap
      if (!first || first.dueAt > now) return undefined
      const last = heap.pop()
      if (last && last !== first) sink(last)
      return first.ordinal
    },
  }
}
