import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDurations } from '../../../contracts/load/measurements.ts'

test('percentiles differ from the exact values by at most 0.2 percent', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.001, max: 100_000, noNaN: true }), { minLength: 1, maxLength: 500 }),
      (durations) => {
        const histogram = createDurations()
        for (const durationMs of durations) histogram.add(durationMs)
        const sorted = durations.toSorted((a, b) => a - b)
        const at = (share: number) => sorted[Math.max(0, Math.floor(share * sorted.length + 0.5) - 1)] ?? 0
        const { p50, p90, p99, max } = histogram.percentiles()

        expect(histogram.count).toBe(durations.length)
        for (const [seen, share] of [
          [p50, 0.5],
          [p90, 0.9],
          [p99, 0.99],
          [max, 1],
        ] as const) {
          expect(Math.abs((seen ?? 0) - at(share))).toBeLessThanOrEqual(at(share) * 0.002 + 0.0021)
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('a duration of more than one hour counts as one hour', () => {
  const histogram = createDurations(2)
  histogram.add(5 * 3_600_000)

  expect(histogram.percentiles().max).toBeGreaterThan(3_500_000)
  expect(histogram.percentiles().max).toBeLessThan(3_700_000)
})
