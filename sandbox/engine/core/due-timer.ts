import type { Clock } from './ports.ts'

/** Calls `onDue` with each added ordinal at its due time, in order of due time. Uses a single timer of the clock. */
export function createDueTimer(clock: Clock, onDue: (ordinal: number) => void) {
  const list = createDueList()
  let cancelWake = () => {}
  let wakeTime: number | undefined
  let stopped = false

  function ring(): void {
    if (stopped) return
    const now = clock.now()
    for (let ordinal = list.takeDue(now); ordinal !== undefined; ordinal = list.takeDue(now)) onDue(ordinal)
    const next = list.firstDueAt()
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
      list.add({ dueAt, ordinal })
      ring()
    },
    nextDueAt: list.firstDueAt,
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

/** Creates a list in descending order of due time and then of ordinal. The last entry is due next. */
function createDueList() {
  const list: Due[] = []
  const precedes = (a: Due, b: Due) => (a.dueAt === b.dueAt ? a.ordinal < b.ordinal : a.dueAt < b.dueAt)

  return {
    add(due: Due): void {
      let [from, to] = [0, list.length]
      while (from < to) {
        const middle = (from + to) >> 1
        const other = list[middle]
        if (other && precedes(due, other)) from = middle + 1
        else to = middle
      }
      list.splice(from, 0, due)
    },
    firstDueAt: () => list.at(-1)?.dueAt,
    takeDue(now: number): number | undefined {
      const next = list.at(-1)
      return next && next.dueAt <= now ? list.pop()?.ordinal : undefined
    },
  }
}
