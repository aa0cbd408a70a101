import { signal, type ReadonlySignal } from '@preact/signals'
import type { Clock } from '../../../spec/generated/control-types.ts'
import type { EventFeed } from './listing.ts'
import type { PagePorts } from './page-ports.ts'

/** The sandbox's clock, extrapolated between two readings. */
export interface SandboxClock {
  readonly mode: ReadonlySignal<Clock['mode']>
  readonly speed: ReadonlySignal<number>
  /** Sandbox time of the last tick, in epoch milliseconds. */
  readonly now: ReadonlySignal<number>
  set(clock: Clock): void
  /** Moves the clock forward to the time of an event. */
  atLeast(time: number): void
  tick(): void
}

export function createSandboxClock(elapsed: () => number): SandboxClock {
  const mode = signal<Clock['mode']>('real')
  const speed = signal(0)
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
    set(clock) {
      mode.value = clock.mode
      speed.value = clock.speed
      start(Date.parse(clock.now))
    },
    atLeast(time) {
      if (time > current()) start(time)
    },
    tick() {
      now.value = Math.floor(current())
    },
  }
}

const TICK_MS = 250

interface ClockPorts extends Pick<PagePorts, 'elapsed' | 'every'> {
  readonly onError: (error: unknown) => void
}

/** Reads the clock after each change, and moves it forward between two readings. */
export function followClock(
  { onGap, onEvents }: EventFeed,
  load: () => Promise<Clock>,
  { elapsed, every, onError }: ClockPorts,
): SandboxClock {
  const clock = createSandboxClock(elapsed)
  const read = () => void load().then(clock.set, onError)
  every(TICK_MS, clock.tick)
  onGap(read)
  onEvents((events) => {
    clock.atLeast(Math.max(...events.map(({ at }) => Date.parse(at))))
    if (events.some(({ type }) => type === 'clock' || type === 'world')) read()
  })
  return clock
}
