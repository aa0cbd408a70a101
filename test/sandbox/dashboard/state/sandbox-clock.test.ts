import { expect, test } from 'vitest'
import { createSandboxClock } from '../../../../sandbox/dashboard/state/sandbox-clock.ts'

const START = Date.parse('2026-01-01T00:00:00.000Z')
const NOW = new Date(START).toISOString()

test('a compressed clock on the page runs at its configured speed', () => {
  let elapsed = 0
  const clock = createSandboxClock(() => elapsed)
  clock.set({ mode: 'compressed', speed: 300, now: NOW })

  elapsed = 1_000
  clock.tick()

  expect(clock.now.value - START).toBe(300_000)
})

test('a stopped clock of the page moves only forward', () => {
  const clock = createSandboxClock(() => 0)
  clock.set({ mode: 'manual', speed: 0, now: NOW })

  clock.atLeast(START + 5_000)
  clock.atLeast(START + 1_000)

  expect(clock.now.value - START).toBe(5_000)
})
