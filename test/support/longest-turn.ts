/**
 * Returns the longest event loop turn of this thread, in milliseconds of processor time. Processor time does not depend on the
 * machine's load.
 */
export async function longestTurnMs(run: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = process.threadCpuUsage()
  let isOver = false
  function look(): void {
    const { user, system } = process.threadCpuUsage(last)
    longest = Math.max(longest, (user + system) / 1_000)
    last = process.threadCpuUsage()
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  try {
    await run()
  } finally {
    isOver = true
  }
  return longest
}
