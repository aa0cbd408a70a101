/** What is under way, of whatever count: nothing is kept of what has ended. */
export interface InFlight {
  /** It comes to whether it was done. */
  add(work: Promise<boolean>): void
  /** Throws why something failed, if anything did. */
  refuseFailure(): void
  /** Nothing is added any more. Resolves when all has ended, with how much was not done; rejects if anything failed. */
  end(): Promise<number>
}

export function createInFlight(): InFlight {
  const ended = Promise.withResolvers<number>()
  let [count, undone, isLast] = [0, 0, false]
  let failure: { readonly error: unknown } | undefined

  function finish(): void {
    if (!isLast || count > 0) return
    if (failure) ended.reject(failure.error)
    else ended.resolve(undone)
  }

  async function follow(work: Promise<boolean>): Promise<void> {
    try {
      if (!(await work)) undone++
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
