import type { Stopwatch } from '../probes/stopwatch.ts'
import type { Interval, Recorder } from './measurements.ts'
import type { Schedule } from './schedule.ts'

/** How far a load has come. */
export interface Progress {
  readonly atMs: number
  readonly durationMs: number
  /** The last part of the time that is over. */
  readonly interval: Interval
}

interface ProgressPorts extends Stopwatch {
  readonly recorder: Pick<Recorder, 'latest'>
  readonly schedule: Pick<Schedule, 'durationMs'>
  readonly onProgress: ((progress: Progress) => void) | undefined
}

const EACH_MS = 1_000
/** A timer that runs longer would keep the program from ending. */
const POLL_MS = 100

/** Tells of it about once a second, from its start until its end. */
export function followProgress({ elapsed, pause, recorder, schedule, onProgress }: ProgressPorts) {
  let isOver = false
  async function follow(tell: (progress: Progress) => void): Promise<void> {
    const startedAt = elapsed()
    let toldAt = startedAt
    for (;;) {
      await pause(POLL_MS)
      if (isOver) return
      if (elapsed() - toldAt < EACH_MS) continue
      toldAt = elapsed()
      const interval = recorder.latest(toldAt - startedAt)
      if (interval) tell({ atMs: toldAt - startedAt, durationMs: schedule.durationMs, interval })
    }
  }
  return {
    start: () => void (onProgress && follow(onProgress)),
    end() {
      isOver = true
    },
  }
}
