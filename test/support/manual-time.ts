import type { RealTime } from '../../sandbox/engine/core/ports.ts'

/** Real time that a test moves itself; tasks for later run at once, in order. */
export interface ManualTime extends RealTime {
  move(byMs: number): void
}

export function manualTime(start = Date.parse('2026-01-01T00:00:00.000Z')): ManualTime {
  const waiting = new Set<{ readonly at: number; readonly run: () => void }>()
  let time = start
  return {
    now: () => time,
    elapsed: () => time - start,
    after(delayMs, run) {
      const entry = { at: time + delayMs, run }
      waiting.add(entry)
      return () => waiting.delete(entry)
    },
    soon: (run) => queueMicrotask(run),
    move(byMs) {
      time += byMs
      for (const entry of [...waiting].toSorted((a, b) => a.at - b.at)) {
        if (entry.at <= time && waiting.delete(entry)) entry.run()
      }
    },
  }
}
