import type { RealTime } from '../engine/core/ports.ts'

/** Resolves after `delayMs` milliseconds, or when the signal is aborted. */
export async function pause(after: RealTime['after'], delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = () => resolve()
  const cancel = after(delayMs, end)
  signal?.addEventListener('abort', end)
  await promise
  signal?.removeEventListener('abort', end)
  cancel()
}
