import type { Clock } from './ports.ts'

export type DueTimer = ReturnType<typeof createDueTimer>

/**
 * Calls back with each ordinal when it falls due, earliest first. Uses one timer of the clock for all of them. Asks
 * `readMore` for later due times when none is left.
 */
export function createDueTimer(
  clock: Clock,
  onDue: (ordinal: number) => void,
  readMore: () => Iterable<{ readonly dueAt: number; readonly ordinal: number }> = () => [],
) {
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
    add(dueAt: number, ordinal: number): void {
      heap.add(dueAt, ordinal)
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

/** Orders ordinals by due time, then by their own order. Each takes twelve bytes. */
function createDueHeap() {
  let dueAts = new Float64Array(64)
  let ordinals = new Uint32Array(64)
  let size = 0

  const precedes = (a: number, b: number): boolean => {
    const gap = at(dueAts, a) - at(dueAts, b)
    return gap === 0 ? at(ordinals, a) < at(ordinals, b) : gap < 0
  }

  function swap(a: number, b: number): void {
    const [dueAt, ordinal] = [at(dueAts, a), at(ordinals, a)]
    dueAts[a] = at(dueAts, b)
    ordinals[a] = at(ordinals, b)
    dueAts[b] = dueAt
    ordinals[b] = ordinal
  }

  function sink(): void {
    for (let parent = 0; ;) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2]
      const child = right < size && precedes(right, left) ? right : left
      if (child >= size || !precedes(child, parent)) return
      swap(child, parent)
      parent = child
    }
  }

  return {
    get size(): number {
      return size
    },
    add(dueAt: number, ordinal: number): void {
      if (size === dueAts.length) [dueAts, ordinals] = [grow(dueAts), grow(ordinals)]
      dueAts[size] = dueAt
      ordinals[size] = ordinal
      for (let child = size++; child > 0;) {
        const parent = (child - 1) >> 1
        if (!precedes(child, parent)) return
        swap(child, parent)
        child = parent
      }
    },
    firstDueAt: () => (size === 0 ? undefined : at(dueAts, 0)),
    takeDue(now: number): number | undefined {
      if (size === 0 || at(dueAts, 0) > now) return undefined
      const ordinal = at(ordinals, 0)
      swap(0, --size)
      sink()
      return ordinal
    },
  }
}

function at(values: Float64Array | Uint32Array, index: number): number {
  return values[index] ?? Number.NaN
}

function grow<Values extends Float64Array | Uint32Array>(values: Values): Values {
  const larger =
    values instanceof Float64Array ? new Float64Array(values.length * 2) : new Uint32Array(values.length * 2)
  larger.set(values)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same kind of array as `values`
  return larger as Values
}
