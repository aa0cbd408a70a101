/** Resolves at the first Ctrl-C or SIGTERM; further ones (npm passes them on twice) change nothing. */
export function untilStopped(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
  return promise
}
