/** How many notifications may be under way at once: each has a connection to itself. */
export interface ConnectionPlaces {
  /** Resolves with whether there is a place, as soon as there is one; false once no more are given. */
  take(): Promise<boolean>
  /** Gives a place back, after so many milliseconds for the answer. */
  giveBack(answerMs: number): void
  /** Gives no more. */
  close(): void
  isClosed(): boolean
  result(): ConnectionUse
}

/** What came of the bound. */
export interface ConnectionUse {
  readonly limit: number
  /** How many were in use at the most. */
  readonly peak: number
  /** How many notifications waited for one although your receiver answered those that had one in time: the bound was too low. */
  readonly waits: number
  /** How many waited because your receiver kept those that had one waiting. */
  readonly heldWaits: number
}

/** From the first notification that finds no place until none waits any more. */
interface Congestion {
  waits: number
  /** Of those that had the places when it began: how many have ended, and how long they took in all. */
  ended: number
  tookMs: number
}

/** `longMs` is how long an answer may take before it is your receiver that keeps a place. */
export function createConnectionPlaces(limit: number, { longMs }: { longMs: number }): ConnectionPlaces {
  const waiting = new Set<(isThere: boolean) => void>()
  let [busy, peak, waits, heldWaits] = [0, 0, 0, 0]
  let isClosed = false
  let congestion: Congestion | undefined

  function endCongestion(): void {
    if (!congestion) return
    const { waits: count, ended, tookMs } = congestion
    // Those that still have their places were waited for, too: nobody else could be sent.
    if (ended === 0 || tookMs / ended > longMs) heldWaits += count
    else waits += count
    congestion = undefined
  }

  return {
    async take() {
      if (isClosed) return false
      if (busy < limit) {
        peak = Math.max(peak, ++busy)
        return true
      }
      congestion ??= { waits: 0, ended: 0, tookMs: 0 }
      congestion.waits++
      return new Promise((resolve) => waiting.add(resolve))
    },
    giveBack(answerMs) {
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
