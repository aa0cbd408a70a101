import { createHistogram } from 'node:perf_hooks'

/** How long most of them took, in milliseconds; null where there were none. */
export interface Percentiles {
  readonly p50: number | null
  readonly p90: number | null
  readonly p99: number | null
  readonly p999: number | null
  readonly max: number | null
}

/** A histogram of durations that takes the same room however many there are: the HDR histogram that Node has. */
export interface Durations {
  readonly count: number
  /** Milliseconds. */
  add(durationMs: number): void
  percentiles(): Percentiles
}

/** Beyond an hour all count as an hour. */
const LONGEST_US = 3_600_000_000

/** `figures` are how many digits of a duration are kept: with three they are exact to a thousandth. */
export function createDurations(figures: 2 | 3 = 3): Durations {
  const histogram = createHistogram({ lowest: 1, highest: LONGEST_US, figures })
  const at = (share: number) => (histogram.count === 0 ? null : histogram.percentile(share) / 1_000)
  return {
    get count() {
      return histogram.count
    },
    add(durationMs) {
      histogram.record(Math.min(LONGEST_US, Math.max(1, Math.round(durationMs * 1_000))))
    },
    percentiles() {
      const max = histogram.count === 0 ? null : histogram.max / 1_000
      return { p50: at(50), p90: at(90), p99: at(99), p999: at(99.9), max }
    },
  }
}
