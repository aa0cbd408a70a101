import { expect, test } from 'vitest'
import { sandboxFinding } from '../../../sandbox/cli/doctor-sandbox.ts'
import { VERSION } from '../../../sandbox/engine/core/version.ts'

const NOW = '2026-01-01T00:00:00.000Z'
const CLOCK = { now: NOW, mode: 'real', speed: 1 } as const

test.each([
  ['storage_full', 'make room on the disk of its data folder: it goes on by itself'],
  ['storage_away', 'see to it that PostgreSQL can be reached: it goes on by itself'],
  ['storage_gone', 'end the sandbox and start it again'],
] as const)('a sandbox that takes no changes is a problem, with why (%s)', (status, remedy) => {
  const service_url = 'http://s.test'
  const health = {
    status,
    ready: false,
    reason: 'It is so',
    service_url,
    version: '1',
    now: NOW,
    clock: CLOCK,
  }

  expect(sandboxFinding(health, 'http://b.test', { data: 'mine' })).toMatchObject({
    message: `A sandbox runs: service ${service_url}, bench http://b.test, but it takes no changes: It is so`,
    remedy,
  })
})

test('of several nodes the one that has the world is named', () => {
  const health = {
    status: 'ready',
    ready: true,
    service_url: 'http://s.test',
    version: VERSION,
    now: NOW,
  } as const
  const { message } = sandboxFinding({ ...health, clock: CLOCK, node: 'two' }, 'http://b.test', { data: 'd' })

  expect(message).toBe(
    'A sandbox runs: service http://s.test, bench http://b.test; node "two" has this world',
  )
})
