import { realTime } from '../adapters/real-time.ts'

/** SIGHUP: the terminal was closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** npm passes on the signal that its child has got from the terminal already: what comes as soon as this is the same Ctrl-C. */
const SAME_MS = 500

/**
 * Calls back at the first of these signals, with what ends the process by that signal when all is done. A second one ends it at once,
 * by that signal: what is under way is cut off, as by a crash. Returns a function by which signals do as before.
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

/** Resolves at the first of these signals. */
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
