import { expect, test } from 'vitest'
import { findPhases } from '../../../../sandbox/dashboard/delivery/phases.ts'

const REUSED = { connected_ms: 4, answered_ms: 9, total_ms: 10 }
const NEW = { resolved_ms: 1, reached_ms: 3, connected_ms: 6, answered_ms: 9, total_ms: 10 }
const REFUSED = { resolved_ms: 1, connected_ms: null, answered_ms: null, total_ms: 2 }

test.each([
  ['an exchange', REUSED, ['connection 0-4', 'first byte 4-9', 'rest of the answer 9-10']],
  ['a failed connection', { ...REUSED, connected_ms: null, answered_ms: null }, ['connection 0-10']],
  [
    'a new connection',
    NEW,
    ['DNS 0-1', 'connect 1-3', 'TLS 3-6', 'first byte 6-9', 'rest of the answer 9-10'],
  ],
  ['a failed handshake', { ...REFUSED, reached_ms: 2, total_ms: 8 }, ['DNS 0-1', 'connect 1-2', 'TLS 2-8']],
  ['an interrupted exchange', { connected_ms: 4, answered_ms: null, total_ms: null }, ['connection 0-4']],
])('findPhases() returns the phases of %s', (_, timings, phases) => {
  expect(findPhases(timings).map(({ name, fromMs, toMs }) => `${name} ${fromMs}-${toMs}`)).toEqual(phases)
})
