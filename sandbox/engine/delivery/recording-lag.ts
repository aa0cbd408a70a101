import type { ReadingValues } from '../../../spec/readings.ts'
import type { AttemptHead } from '../state/entries.ts'

interface Clocks {
  /** The sandbox time, in milliseconds since the Unix epoch. */
  readonly now: number
  readonly realNow: number
}

/** Returns true if the attempt is older than the lag or the clock was set back. Source: §2.1, §4. Reading: job-recording-lag */
export function isVisible(
  { at, recorded_at }: Pick<AttemptHead, 'at' | 'recorded_at'>,
  { now, realNow }: Clocks,
  readings: ReadingValues,
): boolean {
  const lagMs = readings['job-recording-lag']
  return now - at >= lagMs || realNow - recorded_at >= lagMs || realNow < recorded_at
}
