import type { Stopwatch } from '../../../contracts/probes/stopwatch.ts'

export interface VirtualTime extends Stopwatch {
  run<Result>(work: Promise<Result>): Promise<Result>
}

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** Creates a clock that stops during work, then jumps to the next timer. `lateMs` returns the delay of a timer, in milliseconds. */
export function createVirtualTime(lateMs: (askedMs: number, now: number) => number = () => 0): VirtualTime {
  const sleepers: Sleeper[] = []
  let now = 0
  return {
    elapsed: () => now,
    pause: (ms) =>
      new Promise((resolve) => {
        sleepers.push({ at: now + ms + lateMs(ms, now), wake: resolve })
      }),
    async run(work) {
      let isOver = false
      const note = () => void (isOver = true)
      work.then(note, note)
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve))
        if (isOver) return work
        const next = sleepers.toSorted((a, b) => a.at - b.at)[0]
        if (!next) throw new Error('Nobody will be woken, and the work has not ended')
        sleepers.splice(sleepers.indexOf(next), 1)
        now = Math.max(now, next.at)
        next.wake()
      }
    },
  }
}
