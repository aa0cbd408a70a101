import { expect, test } from 'vitest'
import { readingValues } from '../../../../spec/readings.ts'
import { isVisible } from '../../../../sandbox/engine/delivery/recording-lag.ts'

const readings = readingValues({ 'job-recording-lag': '200ms' })
const ended = { at: 1_000, recorded_at: 5_000 }

test.each([
  ['neither has passed', { now: 1_199, realNow: 5_199 }, false],
  ['sandbox time has passed', { now: 1_200, realNow: 5_000 }, true],
  ['real time has passed', { now: 1_000, realNow: 5_200 }, true],
  ['the wall clock was set back', { now: 1_000, realNow: 4_999 }, true],
])('an attempt shows after the lag or not: %s', (_, clocks, shows) => {
  expect(isVisible(ended, clocks, readings)).toBe(shows)
})
