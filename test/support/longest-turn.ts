/**
 * Runs it, and gives the most milliseconds that this thread computed without letting others go on. Time of the processor, and not
 * of the clock: how busy the machine is makes no difference.
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
