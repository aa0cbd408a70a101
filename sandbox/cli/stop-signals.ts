import { realTime } from '../adapters/real-time.ts'

/** The signals that stop a program. A closed terminal sends SIGHUP. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Signals within this time count as one signal, in milliseconds. npm sends a second signal to its child process after Ctrl-C. */
const SAME_MS = 500

/**
 * Calls `stop` at the first stop signal. The argument `end` of `stop` is a function that ends the process with the same signal. A
 * second signal ends the process immediately. Returns a function that removes the handlers.
 */
export function onStopSignal(stop: (end: () => void) => void): () => void {
  let firstAt: number | undefined
  const ignore = () => SIGNALS.forEach((each) => process.off(each, take))

  function take(signal: NodeJS.Signals): void {
    const end = () => {
      ignore()
      process.kill(process.pid, signal)
    }
    if (firstAt === undefined) {
      firstAt = realTime.elapsed()
      stop(end)
    } else if (realTime.elapsed() - firstAt >= SAME_MS) end()
  }

  for (const signal of SIGNALS) process.on(signal, take)
  return ignore
}

export function untilStopped(): Promise<void> {
  return new Promise((resolve) => void onStopSignal(() => resolve()))
}
