/** Returns a function that runs tasks with limited concurrency. Tasks start in order. */
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

/** Runs each cleanup once, the newest one first. Repeated calls of `close` are safe. */
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

/** Returns the result of the work. Rejects with the abort reason once the signal is aborted. */
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
