import { realTime } from '../adapters/real-time.ts'

/** Resolves after `delayMs` of real time, or as soon as the signal is aborted. */
export function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal?.aborted === true) return Promise.resolve()
  const end = () => {
    cancel()
    signal?.removeEventListener('abort', end)
    resolve()
  }
  const cancel = realTime.after(delayMs, end)
  signal?.addEventListener('abort', end)
  return promise
}
