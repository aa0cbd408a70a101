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
