import type { PagePorts } from '../../../sandbox/dashboard/state/page-ports.ts'

/** A simulated browser page whose timers the test controls. */
export interface TestPage extends PagePorts {
  later(rounds?: number): Promise<void>
  pass(ms: number): void
  visit(hash: string): void
  comeBack(): void
  readonly copied: readonly string[]
}

export function testPage({ world }: Partial<Pick<PagePorts, 'world'>> = {}): TestPage {
  const soon: (() => void)[] = []
  const hashListeners: (() => void)[] = []
  const returnListeners: (() => void)[] = []
  const timers: { readonly at: number; readonly run: () => void }[] = []
  const copied: string[] = []
  let [now, hash, kept] = [0, '', 'token']
  return {
    origin: 'http://127.0.0.1:4011',
    world,
    takeToken: () => kept,
    keepToken: (given) => (kept = given),
    hash: () => hash,
    setHash(next) {
      hash = next
      for (const listener of hashListeners) listener()
    },
    replaceHash(next) {
      hash = next
    },
    onHash: (listener) => hashListeners.push(listener),
    elapsed: () => now,
    soon: (run) => soon.push(run),
    every: () => () => {},
    after(delayMs, run) {
      const timer = { at: now + delayMs, run }
      timers.push(timer)
      return () => timers.splice(timers.indexOf(timer), 1)
    },
    commands: async () => [],
    copy: async (text) => void copied.push(text),
    onReturn: (listener) => returnListeners.push(listener),
    comeBack: () => returnListeners.forEach((listener) => listener()),
    copied,
    visit(next) {
      hash = next
      for (const listener of hashListeners) listener()
    },
    async later(rounds = 10) {
      for (let round = 0; round < rounds; round++) {
        await new Promise((resolve) => setImmediate(resolve))
        for (const run of soon.splice(0)) run()
      }
    },
    pass(ms) {
      now += ms
      for (const timer of timers.filter(({ at }) => at <= now)) {
        timers.splice(timers.indexOf(timer), 1)
        timer.run()
      }
    },
  }
}
