import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSchedule, SHAPES, type ScheduleOptions, type Shape } from '../../../contracts/load/schedule.ts'

/**
 * The rate of each load shape, as a share of the maximum rate. `place` is the elapsed share of the schedule, from 0 to 1. The
 * guide documents these shapes.
 */
const RATES: { readonly [Each in Shape]: (place: number) => number } = {
  steady: () => 1,
  ramp: (place) => place,
  burst: (place) => ((place * 6) % 1 < 0.8 ? 0.25 : 1),
  sine: (place) => (1 - Math.cos(2 * Math.PI * 3 * place)) / 2,
}

function integral({ shape, rate, durationMs }: ScheduleOptions, from: number, to: number): number {
  const steps = 20_000
  let sum = 0
  for (let step = 0; step < steps; step++)
    sum += RATES[shape](from + ((to - from) * (step + 0.5)) / steps) / steps
  return (sum * (to - from) * rate * durationMs) / 1_000
}

const options = fc.record({
  shape: fc.constantFrom(...(Object.keys(SHAPES) as Shape[])),
  rate: fc.integer({ min: 1, max: 2_000 }),
  durationMs: fc.integer({ min: 100, max: 3_000 }),
})

test('a load schedule contains as many notifications as the rate requires', () => {
  fc.assert(
    fc.property(options, (given) => {
      const { count } = createSchedule(given)
      const times = [...createSchedule(given).dueTimes()]

      expect(times).toHaveLength(count)
      expect(Math.abs(count - Math.max(1, integral(given, 0, 1)))).toBeLessThanOrEqual(1.01)
    }),
    { numRuns: 60 },
  )
})

test('the due times of a load schedule are in order, within the load duration and at the configured rate', () => {
  const places = fc.tuple(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  fc.assert(
    fc.property(options, places, (given, [one, other]) => {
      const times = [...createSchedule(given).dueTimes()]
      const [from, to] = [Math.min(one, other), Math.max(one, other)]
      const within = times.filter((ms) => ms >= from * given.durationMs && ms < to * given.durationMs)

      expect(times.every((ms, index) => ms >= (times[index - 1] ?? 0) && ms < given.durationMs)).toBe(true)
      expect(Math.abs(within.length - integral(given, from, to))).toBeLessThanOrEqual(1.5)
    }),
    { numRuns: 60 },
  )
})
