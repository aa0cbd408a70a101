import { expect, test } from 'vitest'
import { createClock } from '../../../sandbox/adapters/clock.ts'
import { FASTEST } from '../../../sandbox/engine/core/ports.ts'
import { manualTime } from '../../support/test-sandbox.ts'

const startAt = Date.parse('2026-01-01T00:00:00.000Z')

test('a compressed clock advances five minutes per real second', () => {
  const realTime = manualTime()
  const clock = createClock(realTime, { startAt, speed: 300 })

  realTime.move(1_000)

  expect([clock.mode, clock.now() - startAt]).toEqual(['compressed', 300_000])
})

test('a manual clock moves only on request and never back', () => {
  const realTime = manualTime()
  const clock = createClock(realTime, { startAt, speed: 0 })
  realTime.move(60_000)

  clock.moveTo(startAt + 5_000)
  clock.moveTo(startAt + 1_000)

  expect([clock.mode, clock.now() - startAt]).toEqual(['manual', 5_000])
})

test.each([1, 300])('wakeAt() calls its callback once at speed %d, never early', (speed) => {
  const realTime = manualTime()
  const clock = createClock(realTime, { startAt, speed })
  const wokenAt: number[] = []
  clock.wakeAt(startAt + 3_000, () => wokenAt.push(clock.now() - startAt))

  realTime.move(3_000 / speed - 1)
  const early = wokenAt.length
  realTime.move(1)
  realTime.move(60_000)

  expect([early, wokenAt]).toEqual([0, [3_000]])
})

test('wakeAt() calls the due callbacks after the clock is moved', () => {
  const clock = createClock(manualTime(), { startAt, speed: 0 })
  const woken: string[] = []
  clock.wakeAt(startAt + 1, () => woken.push('first'))
  const cancel = clock.wakeAt(startAt + 2, () => woken.push('cancelled'))
  clock.wakeAt(startAt + 9, () => woken.push('later'))
  cancel()

  clock.moveTo(startAt + 5)

  expect(woken).toEqual(['first'])
})

test.each([0.3, 7, 60, FASTEST])('wakeAt() sets few timers at speed %d', (speed) => {
  const realTime = manualTime()
  const delays: number[] = []
  const after = (delayMs: number, run: () => void) => {
    delays.push(delayMs)
    return realTime.after(delayMs, run)
  }
  const clock = createClock({ ...realTime, after }, { startAt, speed: 0 })
  const gaps = [1, 59, 61, 1_000, 600_000]
  const woken: number[] = []
  for (const gap of gaps) clock.wakeAt(startAt + gap, () => woken.push(gap))
  clock.setSpeed(speed)

  for (let moves = 0; moves < 100; moves++) realTime.move(0.3)
  for (let moves = 0; moves < 40; moves++) realTime.move(60_000)

  expect(woken).toEqual(gaps)
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(1)
  expect(delays.length).toBeLessThan(50)
})

test('wakeAt() waits longer than the maximum timer delay', () => {
  const realTime = manualTime()
  const clock = createClock(realTime, { startAt, speed: 1 })
  const month = 31 * 24 * 3_600_000
  let woken = false
  clock.wakeAt(startAt + month, () => (woken = true))

  for (let day = 0; day < 30; day++) realTime.move(24 * 3_600_000)
  const early = woken
  realTime.move(24 * 3_600_000)

  expect([early, woken]).toEqual([false, true])
})

test('a clock never passes the end of the year 9998, at any speed and after any change', () => {
  const realTime = manualTime()
  const clock = createClock(realTime, { startAt, speed: FASTEST })
  const shown = () => new Date(clock.now()).toISOString()

  realTime.move(7 * 24 * 3_600_000)
  const run = shown()
  clock.restartAt(startAt, 0)
  clock.moveTo(Date.parse('9999-06-01T00:00:00.000Z'))
  const moved = shown()
  clock.restartAt(Number.MAX_SAFE_INTEGER, 0)

  expect([run, moved, shown()]).toEqual(Array.from({ length: 3 }, () => '9998-12-31T23:59:59.999Z'))
})

test('a change of the system clock does not move a sandbox clock', () => {
  const realTime = manualTime()
  let wallClockChange = 0
  const changing = { ...realTime, now: () => realTime.now() + wallClockChange }
  const clock = createClock(changing, { startAt, speed: 1 })
  const shown: number[] = []
  for (const change of [-3_600_000, 25 * 3_600_000, Date.parse('2038-01-19T03:14:08.000Z') - startAt]) {
    wallClockChange = change
    realTime.move(1_000)
    shown.push(clock.now() - startAt)
  }

  expect(shown).toEqual([1_000, 2_000, 3_000])
})
