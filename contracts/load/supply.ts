import type { LoadMessage } from './books.ts'
import { createLimit } from '../toolkit/scheduling.ts'

/**
 * Makes notifications in order, shortly before they are due. `ahead` is the number of prepared notifications, of which at most
 * `atOnce` are made at the same time.
 */
export function createSupply<Planned>(
  plan: Iterator<Planned | null>,
  make: (planned: Planned) => Promise<LoadMessage>,
  { ahead, atOnce }: { readonly ahead: number; readonly atOnce: number },
) {
  const inTurn = createLimit(atOnce)
  const untaken: (Promise<LoadMessage | undefined> | null)[] = []
  let isClosed = false

  function order(): Promise<LoadMessage | undefined> | null | undefined {
    const next = isClosed ? undefined : plan.next()
    if (!next || next.done === true) return undefined
    const planned = next.value
    if (planned === null) return null
    const made = inTurn(async () => (isClosed ? undefined : make(planned)))
    // Prevents an unhandled rejection. The caller of `take` still receives the error.
    made.catch(() => {})
    return made
  }

  function refill(): void {
    while (untaken.length < ahead) {
      const next = order()
      if (next === undefined) return
      untaken.push(next)
    }
  }

  return {
    /** Resolves when the first `ahead` notifications are ready. Rejects if one of these notifications cannot be made. */
    async fill() {
      refill()
      await Promise.all(untaken.filter((each) => each !== null))
    },
    /**
     * Returns a promise that resolves with the next notification. The promise resolves with null for an empty place in the
     * schedule. The promise resolves with undefined at the end of the schedule.
     */
    take() {
      const next = untaken.length > 0 ? untaken.shift() : order()
      refill()
      return next
    },
    /** Stops making notifications. Waiting callers get undefined. */
    close() {
      isClosed = true
    },
  }
}

export type Supply = ReturnType<typeof createSupply>
