import { signal, type ReadonlySignal } from '@preact/signals'
import type { Clock } from '../../../spec/generated/control-types.ts'

/** The sandbox's clock, as it goes on between two looks at it. */
export interface SandboxClock {
  readonly mode: ReadonlySignal<Clock['mode']>
  readonly speed: ReadonlySignal<number>
  /** Sandbox time, epoch milliseconds; as of the last tick. */
  readonly now: ReadonlySignal<number>
  set(clock: Clock): void
  /** Something happened at this sandbox time: the clock shows no less. */
  atLeast(time: number): void
  tick(): void
}

/** `elapsed` measures real time. */
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
