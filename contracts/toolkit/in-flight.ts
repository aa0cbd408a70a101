/** Follows concurrent tasks. `requireSuccess` and `all` throw the first error of a task. */
export function createInFlight() {
  const underWay = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  function requireSuccess(): void {
    if (failure) throw failure.error
  }
  async function follow(work: Promise<unknown>): Promise<void> {
    try {
      await work
    } catch (error) {
      failure ??= { error }
    }
  }
  return {
    count: () => underWay.size,
    add(work: Promise<unknown>) {
      const followed: Promise<void> = follow(work).finally(() => underWay.delete(followed))
      underWay.add(followed)
    },
    requireSuccess,
    /** Waits until one of the tasks has ended. */
    any: () => Promise.race(underWay),
    async all() {
      await Promise.all(underWay)
      requireSuccess()
    },
  }
}
