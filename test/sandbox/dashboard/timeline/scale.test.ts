import { expect, test } from 'vitest'
import {
  createScale,
  findTicks,
  fitSpan,
  panSpan,
  zoomSpan,
} from '../../../../sandbox/dashboard/timeline/scale.ts'

const START = Date.parse('2026-01-01T00:00:00.000Z')
const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]

test.each([
  { length: 50, labels: ['00:00.010', '00:00.020', '00:00.030', '00:00.040'] },
  { length: 45 * SECOND, labels: ['00:00:10', '00:00:20', '00:00:30', '00:00:40'] },
  { length: 8 * HOUR, labels: ['02:00', '04:00', '06:00'] },
  { length: 9 * DAY, labels: ['2026-01-03', '2026-01-05', '2026-01-07', '2026-01-09'] },
])('the axis of $length ms has round instants', ({ length, labels }) => {
  const scale = createScale({ from: START, to: START + length }, 500)

  expect(findTicks(scale).map(({ label }) => label)).toEqual(labels)
})

test('ticks have room, at any length', () => {
  for (let length = 20; length < 400 * DAY; length *= 1.7) {
    const ticks = findTicks(createScale({ from: START, to: START + length }, 1_000))
    const gaps = ticks.slice(1).map(({ x }, index) => x - (ticks[index]?.x ?? 0))

    expect(Math.min(96, ...gaps)).toBeGreaterThanOrEqual(95.9)
    expect(ticks.length).toBeGreaterThan(1)
  }
})

test('a span that fits shows every instant, also where all are the same', () => {
  const scale = createScale(fitSpan([START + MINUTE, START, START + HOUR]) ?? expect.fail(), 1_000)

  expect(scale.x(START)).toBeGreaterThan(10)
  expect(scale.x(START + HOUR)).toBeLessThan(990)
  expect(fitSpan([START])).toEqual({ from: START - SECOND, to: START + SECOND })
  expect(fitSpan([])).toBeUndefined()
})

test('zooming keeps the instant under the pointer, and has limits at both ends', () => {
  const span = { from: START, to: START + HOUR }
  const around = START + HOUR / 4

  const near = zoomSpan(span, 0.1, 0.25)
  const nearest = zoomSpan(span, 1e-12, 0.25)
  const farthest = zoomSpan(span, 1e12, 0.25)

  expect(near.from + (near.to - near.from) * 0.25).toBeCloseTo(around)
  expect(nearest.to - nearest.from).toBeCloseTo(20)
  expect(farthest.to - farthest.from).toBeLessThan(1_001 * 365 * DAY)
  expect(panSpan(span, 0.5)).toEqual({ from: START + HOUR / 2, to: START + 1.5 * HOUR })
})
