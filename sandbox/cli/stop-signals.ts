import { realTime } from '../adapters/real-time.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Signals within this many milliseconds count as one, because npm sends a second signal to its child process after Ctrl-C. */
const SAME_MS = 500

/** Calls `stop` when a stop signal arrives. `end` or a second signal ends the process. Returns the unsubscribe function. */
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
