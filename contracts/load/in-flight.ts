/**
 * What became of a notification that was due: it was not made in time, it was ready and had to wait for the receiver or for a
 * connection until all was over, or it was sent.
 */
export type Ending = 'unmade' | 'unplaced' | 'sent'

/** How many were never sent, and for want of what: the first are the sender's, whatever became of the others. */
export type Unsent = { readonly [Each in Exclude<Ending, 'sent'>]: number }

/** What is under way, of whatever count: nothing is kept of what has ended. */
export interface InFlight {
  add(work: Promise<Ending>): void
  /** Throws why something failed, if anything did. */
  refuseFailure(): void
  /** Nothing is added any more. Resolves when all has ended, with what was not sent; rejects if anything failed. */
  end(): Promise<Unsent>
}

export function createInFlight(): InFlight {
  const ended = Promise.withResolvers<Unsent>()
  const endings = { unmade: 0, unplaced: 0, sent: 0 }
  let [count, isLast] = [0, false]
  let failure: { readonly error: unknown } | undefined

  function finish(): void {
    if (!isLast || count > 0) return
    if (failure) ended.reject(failure.error)
    else ended.resolve({ unmade: endings.unmade, unplaced: endings.unplaced })
  }

  async function follow(work: Promise<Ending>): Promise<void> {
    try {
      endings[await work]++
    } catch (error) {
      failure ??= { error }
    }
    count--
    finish()
  }

  return {
    add(work) {
      count++
      void follow(work)
    },
    refuseFailure() {
      if (failure) throw failure.error
    },
    end() {
      isLast = true
      finish()
      return ended.promise
    },
  }
}
