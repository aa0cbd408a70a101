/** Resolves after so long, or at once when aborted. Keeps no process alive. */
export function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, delayMs).unref()
  const end = () => {
    clearTimeout(timer)
    resolve()
  }
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  return promise.finally(() => signal.removeEventListener('abort', end))
}
