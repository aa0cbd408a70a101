/** Lets at most so many run at a time, in the order in which they come. */
export function createLimit(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (work) => {
    if (underWay >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    underWay++
    try {
      return await work()
    } finally {
      underWay--
      waiting.shift()?.()
    }
  }
}

/** What ends all that a run has begun. */
interface Cleanups {
  add(cleanup: () => Promise<void> | void): void
  /** The newest first, and each once, whoever asks for it and however often. */
  close(): Promise<void>
}

export function createCleanups(): Cleanups {
  const cleanups: (() => Promise<void> | void)[] = []
  let closing: Promise<void> | undefined
  return {
    add: (cleanup) => void cleanups.push(cleanup),
    close: () => (closing ??= closeAll(cleanups)),
  }
}

async function closeAll(cleanups: readonly (() => Promise<void> | void)[]): Promise<void> {
  for (const cleanup of cleanups.toReversed()) await cleanup()
}

/** What the work comes to, unless it is aborted before: then it rejects with the reason, and what the work comes to is dropped. */
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
