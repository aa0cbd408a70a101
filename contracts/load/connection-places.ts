/** Limits the connections. If the mean answer time exceeds `longMs`, the receiver counts as the cause of the waits. */
export function createConnectionPlaces(limit: number, { longMs }: { longMs: number }) {
  const waiting = new Set<(isThere: boolean) => void>()
  // `waits` counts waits for a connection while the receiver is fast, `heldWaits` while the receiver is slow.
  let [busy, peak, waits, heldWaits] = [0, 0, 0, 0]
  let isClosed = false
  /** Totals since all connections became busy: waits, completed notifications, and the sum of their response times. */
  const congestion = { waits: 0, ended: 0, tookMs: 0 }

  function endCongestion(): void {
    const { ended, tookMs } = congestion
    // If no notification ended during the congestion, all connections are still waiting for the receiver.
    if (ended === 0 || tookMs / ended > longMs) heldWaits += congestion.waits
    else waits += congestion.waits
    Object.assign(congestion, { waits: 0, ended: 0, tookMs: 0 })
  }

  return {
    async take() {
      if (isClosed) return false
      if (busy < limit) {
        peak = Math.max(peak, ++busy)
        return true
      }
      congestion.waits++
      return new Promise<boolean>((resolve) => waiting.add(resolve))
    },
    giveBack(answerMs: number) {
      if (congestion.waits > 0 && congestion.ended < limit) {
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

/** The limited connection pool of a load. Each notification in flight has its own connection. */
export type ConnectionPlaces = ReturnType<typeof createConnectionPlaces>
export type ConnectionUse = ReturnType<ConnectionPlaces['result']>
