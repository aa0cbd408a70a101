import { expect, test } from 'vitest'
import { sandboxFinding } from '../../../sandbox/cli/doctor-sandbox.ts'

const NOW = '2026-01-01T00:00:00.000Z'
const CLOCK = { now: NOW, mode: 'real', speed: 1 } as const

test.each([
  ['storage_full', 'make room on the disk of its data folder: it goes on by itself'],
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
