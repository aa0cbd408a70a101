/** A time in which notifications wait for a place. */
interface Congestion {
  waits: number
  /** Of the notifications in flight at its start: the ended ones, and their total time. */
  ended: number
  tookMs: number
}

/** `longMs` is the answer time from which the receiver is blamed for a wait. */
export function createConnectionPlaces(limit: number, { longMs }: { longMs: number }) {
  const waiting = new Set<(isThere: boolean) => void>()
  // The receiver answered in time during `waits`, so the limit was too low. It answered late during `heldWaits`.
  let [busy, peak, waits, heldWaits] = [0, 0, 0, 0]
  let isClosed = false
  let congestion: Congestion | undefined

  function endCongestion(): void {
    if (!congestion) return
    const { waits: count, ended, tookMs } = congestion
    // Notifications without an answer until the end also kept their places.
    if (ended === 0 || tookMs / ended > longMs) heldWaits += count
    else waits += count
    congestion = undefined
  }

  return {
    /** Resolves with true as soon as a place is free, or with false after the end. */
    async take() {
      if (isClosed) return false
      if (busy < limit) {
        peak = Math.max(peak, ++busy)
        return true
      }
      congestion ??= { waits: 0, ended: 0, tookMs: 0 }
      congestion.waits++
      return new Promise<boolean>((resolve) => waiting.add(resolve))
    },
    /** Returns a place after this many milliseconds for the answer. */
    giveBack(answerMs: number) {
      if (congestion && congestion.ended < limit) {
        congestion.ended++
        congestion.tookMs += answerMs
      }
      const [next] = waiting
      if (!next) {
        busy--
        return
      }
      waiting.delete(next)
      if (waiting.size === 0) endCongestion()
      next(true)
    },
    close() {
      isClosed = true
      for (const resolve of waiting) resolve(false)
      waiting.clear()
      endCongestion()
    },
    isClosed: () => isClosed,
    result: () => ({ limit, peak, waits, heldWaits }),
  }
}

/** Limits the notifications in flight. Each has its own connection. */
export type ConnectionPlaces = ReturnType<typeof createConnectionPlaces>
export type ConnectionUse = ReturnType<ConnectionPlaces['result']>
