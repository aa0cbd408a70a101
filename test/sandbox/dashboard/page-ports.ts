/** A simulated browser page whose timers the test controls. */
export function testPage() {
  const soon: (() => void)[] = []
  const timers: { readonly at: number; readonly run: () => void }[] = []
  let now = 0
  return {
    soon: (run: () => void) => soon.push(run),
    after(delayMs: number, run: () => void) {
      const timer = { at: now + delayMs, run }
      timers.push(timer)
      return () => timers.splice(timers.indexOf(timer), 1)
    },
    async later(rounds = 10) {
      for (let round = 0; round < rounds; round++) {
        await new Promise((resolve) => setImmediate(resolve))
        for (const run of soon.splice(0)) run()
      }
    },
    pass(ms: number) {
      now += ms
      for (const timer of timers.filter(({ at }) => at <= now)) {
        timers.splice(timers.indexOf(timer), 1)
        timer.run()
      }
    },
  }
}
