import { realTime } from '../adapters/real-time.ts'

/** How a command waits. */
export interface Patience {
  /** Milliseconds of a clock that wall-clock changes do not move. */
  elapsed(): number
  /** Resolves after `delayMs`, or as soon as the signal is aborted. */
  pause(delayMs: number, signal?: AbortSignal): Promise<void>
}

export const patience: Patience = {
  elapsed: () => realTime.elapsed(),
  pause(delayMs, signal) {
    const { promise, resolve } = Promise.withResolvers<void>()
    if (signal?.aborted === true) return Promise.resolve()
    const end = () => {
      callOff()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const callOff = realTime.after(delayMs, end)
    signal?.addEventListener('abort', end)
    return promise
  },
}
