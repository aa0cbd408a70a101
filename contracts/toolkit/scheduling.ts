/** Returns a function that runs tasks with limited concurrency. Tasks start in call order. */
export function createLimit(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (work) => {
    if (underWay >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else underWay++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else underWay--
    }
  }
}

/** Collects cleanups. `close` runs each cleanup once, the newest first, even if `close` is called repeatedly. */
export function createCleanups() {
  const cleanups: (() => Promise<void> | void)[] = []
  let closing: Promise<void> | undefined
  async function closeAll(): Promise<void> {
    for (const cleanup of cleanups.toReversed()) await cleanup()
  }
  return {
    add: (cleanup: () => Promise<void> | void) => void cleanups.push(cleanup),
    close: () => (closing ??= closeAll()),
  }
}

/** Returns the result of `work`. Rejects with the abort reason if the signal is aborted before the work ends. */
export async function untilAborted<Result>(
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!signal) return work()
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work(), aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Tracks concurrent tasks. `requireSuccess` and `all` throw the error of the first failed task. */
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
    any: () => Promise.race(underWay),
    async all() {
      await Promise.all(underWay)
      requireSuccess()
    },
  }
}
