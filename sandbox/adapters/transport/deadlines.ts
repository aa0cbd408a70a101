/** An entry of the queue. The waiter itself is one, so that waiting allocates nothing. */
export interface Waiting<Waiter> {
  /** On the clock of `performance.now()`. */
  readonly dueAt: number
  earlier: Waiter | undefined
  later: Waiter | undefined
}

export interface Deadlines<Waiter> {
  add(waiter: Waiter): void
  /** A waiter that is not in the queue may not be removed. */
  remove(waiter: Waiter): void
  close(): void
}

/** Beyond it, Node's timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * All deadlines on one timer: an abort signal for each request costs more than the rest of its bookkeeping.
 * A sorted list, since nearly all deadlines are equally far away and go to its end.
 * `expire` removes the waiter, as every other way to end its waiting does.
 */
export function createDeadlines<Waiter extends Waiting<Waiter>>(
  expire: (waiter: Waiter) => void,
): Deadlines<Waiter> {
  let first: Waiter | undefined
  let last: Waiter | undefined
  let timer: NodeJS.Timeout | undefined
  let wakesAt = Infinity

  function remove(waiter: Waiter): void {
    const { earlier, later } = waiter
    if (earlier) earlier.later = later
    else first = later
    if (later) later.earlier = earlier
    else last = earlier
    waiter.earlier = undefined
    waiter.later = undefined
  }

  function arm(dueAt: number): void {
    clearTimeout(timer)
    wakesAt = dueAt
    // Sockets keep the process alive, the timer need not: it is left running when nobody waits any more.
    timer = setTimeout(
      wake,
      Math.min(Math.max(Math.ceil(dueAt - performance.now()), 0), MAX_TIMER_MS),
    ).unref()
  }

  function wake(): void {
    wakesAt = Infinity
    const now = performance.now()
    for (let due = first; due && due.dueAt <= now; due = first) expire(due)
    if (first) arm(first.dueAt)
  }

  return {
    remove,
    add(waiter) {
      let earlier = last
      while (earlier && earlier.dueAt > waiter.dueAt) earlier = earlier.earlier
      const later = earlier ? earlier.later : first

      waiter.earlier = earlier
      waiter.later = later
      if (earlier) earlier.later = waiter
      else first = waiter
      if (later) later.earlier = waiter
      else last = waiter

      if (waiter.dueAt < wakesAt) arm(waiter.dueAt)
    },
    close() {
      clearTimeout(timer)
    },
  }
}
