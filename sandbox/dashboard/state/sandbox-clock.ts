import { signal } from '@preact/signals'
import type { Clock } from '../../../spec/generated/control-types.ts'
import type { EventSubscription } from '../data/listing.ts'
import type { PagePorts } from './page-ports.ts'

export type SandboxClock = ReturnType<typeof createSandboxClock>

export function createSandboxClock(elapsed: () => number) {
  const mode = signal<Clock['mode']>('real')
  const speed = signal(0)
  /** The sandbox time of the last tick, in milliseconds since the Unix epoch. 0 until the sandbox first responds. */
  const now = signal(0)
  let [from, readAt] = [0, elapsed()]
  const current = () => from + speed.value * (elapsed() - readAt)

  function start(time: number): void {
    ;[from, readAt] = [time, elapsed()]
    now.value = Math.floor(time)
  }

  return {
    mode,
    speed,
    now,
    set(clock: Clock) {
      mode.value = clock.mode
      speed.value = clock.speed
      start(Date.parse(clock.now))
    },
    atLeast(time: number) {
      if (time > current()) start(time)
    },
    tick() {
      now.value = Math.floor(current())
    },
  }
}

const TICK_MS = 250

interface ClockPorts extends Pick<PagePorts, 'elapsed' | 'every'> {
  readonly load: () => Promise<Clock>
  readonly onError: (error: unknown) => void
}

/** Requests the clock from the sandbox after each change, and computes the time in between. */
export function followClock(
  feed: EventSubscription,
  { elapsed, every, load, onError }: ClockPorts,
): SandboxClock {
  const clock = createSandboxClock(elapsed)
  every(TICK_MS, clock.tick)
  feed.subscribe((news) => {
    if (news !== 'gap') clock.atLeast(Math.max(...news.map(({ at }) => Date.parse(at))))
    if (news === 'gap' || news.some(({ type }) => type === 'clock')) void load().then(clock.set, onError)
  })
  return clock
}
