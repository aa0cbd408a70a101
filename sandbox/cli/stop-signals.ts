import { realTime } from '../adapters/real-time.ts'

/** The signals that stop a program. A closed terminal sends SIGHUP. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** npm repeats Ctrl-C to its child. Signals within these milliseconds count as one. */
const SAME_MS = 500

/**
 * Calls `stop` at the first stop signal. Its argument `end` ends the process with the same signal. A second signal ends the process
 * immediately. Returns a function that removes the handlers.
 */
export function onStopSignal(stop: (end: () => void) => void): () => void {
  let firstAt: number | undefined

  function take(signal: NodeJS.Signals): void {
    const end = () => endBy(signal, take)
    if (firstAt === undefined) {
      firstAt = realTime.elapsed()
      stop(end)
    } else if (realTime.elapsed() - firstAt >= SAME_MS) end()
  }

  for (const signal of SIGNALS) process.on(signal, take)
  return () => removeListener(take)
}

export function untilStopped(): Promise<void> {
  return new Promise((resolve) => void onStopSignal(() => resolve()))
}

function removeListener(listener: (signal: NodeJS.Signals) => void): void {
  for (const each of SIGNALS) process.off(each, listener)
}

function endBy(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): void {
  removeListener(listener)
  process.kill(process.pid, signal)
}
