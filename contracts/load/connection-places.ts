/** A period in which notifications wait for a connection. */
interface Congestion {
  waits: number
  /** The number of notifications that have ended in the period. `tookMs` is the total answer time of these notifications. */
  ended: number
  tookMs: number
}

/** Limits the connections. A wait counts as caused by the receiver if the mean answer time exceeds `longMs`. */
export function createConnectionPlaces(limit: number, { longMs }: { longMs: number }) {
  const waiting = new Set<(isThere: boolean) => void>()
  // `waits` counts the waits that the connection limit caused while the receiver answered in time. `heldWaits` counts the waits
  // that the receiver caused.
  let [busy, peak, waits, heldWaits] = [0, 0, 0, 0]
  let isClosed = false
  let congestion: Congestion | undefined

  function endCongestion(): void {
    if (!congestion) return
    const { waits: count, ended, tookMs } = congestion
    // If no notification has ended in the period, all notifications still wait for the receiver.
    if (ended === 0 || tookMs / ended > longMs) heldWaits += count
    else waits += count
    congestion = undefined
  }

  return {
    /** Resolves with true as soon as a connection is free, or with false after `close`. */
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
    /** Returns a connection. `answerMs` is the time until the answer in milliseconds. */
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

/** The limited connections of a load. Each notification in flight has its own connection. */
export type ConnectionPlaces = ReturnType<typeof createConnectionPlaces>
export type ConnectionUse = ReturnType<ConnectionPlaces['result']>
