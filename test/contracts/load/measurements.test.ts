import { expect, test } from 'vitest'
import { createRecorder } from '../../../contracts/load/measurements.ts'

const accepted = { kind: 'status', status: 202 } as const

test('each interval of a load counts due, sent and answered notifications and measures their latency', () => {
  const recorder = createRecorder(10_000)
  recorder.offer(50)
  recorder.end({ dueMs: 50, readyMs: 51, sentMs: 120, endedMs: 250, answer: accepted })
  recorder.offer(60)
  recorder.end({
    dueMs: 60,
    readyMs: 60,
    sentMs: 60,
    endedMs: 70,
    answer: { kind: 'reason', reason: 'reset' },
  })

  const { intervals, latency, answerTime, lag, reasons, statuses } = recorder.result()
  expect(intervals.map(({ fromMs, offered, sent, answered }) => [fromMs, offered, sent, answered])).toEqual([
    [0, 2, 1, 0],
    [100, 0, 1, 0],
    [200, 0, 0, 1],
  ])
  expect(intervals[0]?.latency.max).toBeCloseTo(200, -1)
  expect(intervals[2]?.latency.max).toBeNull()
  expect([latency.max, answerTime.max, lag.max].map((ms) => Math.round(ms ?? 0))).toEqual([200, 130, 1])
  expect([reasons, statuses]).toEqual([{ reset: 1 }, { 202: 1 }])
})

test.each([
  [1_000, 100],
  [600_000, 5_000],
  [86_400_000, 1_800_000],
])('a load of %i ms has intervals of %i ms', (durationMs, intervalMs) => {
  const recorder = createRecorder(durationMs)
  recorder.offer(0)

  expect(recorder.result().intervals[0]?.toMs).toBe(intervalMs)
})
