import { expect, test } from 'vitest'
import { findPhases } from '../../../../sandbox/dashboard/delivery/phases.ts'
import { formatMilliseconds } from '../../../../sandbox/dashboard/parts/names.ts'

test('findPhases() returns the phases of an exchange', () => {
  expect(findPhases({ connected_ms: 4, answered_ms: 9, total_ms: 10 })).toEqual([
    { name: 'connection', fromMs: 0, toMs: 4 },
    { name: 'first byte', fromMs: 4, toMs: 9 },
    { name: 'rest of the answer', fromMs: 9, toMs: 10 },
  ])
})

test('findPhases() ends with the failed phase', () => {
  expect(findPhases({ connected_ms: null, answered_ms: null, total_ms: 7 })).toEqual([
    { name: 'connection', fromMs: 0, toMs: 7 },
  ])
  expect(findPhases({ connected_ms: 4, answered_ms: null, total_ms: 7 }).at(-1)).toEqual({
    name: 'first byte',
    fromMs: 4,
    toMs: 7,
  })
})

test('findPhases() returns the phases of a new connection', () => {
  const timings = { resolved_ms: 1, reached_ms: 3, connected_ms: 6, answered_ms: 9, total_ms: 10 }
  const namesOf = (...given: Parameters<typeof findPhases>) =>
    findPhases(...given).map(({ name, toMs }) => [name, toMs])

  expect(namesOf(timings)).toEqual([
    ['DNS', 1],
    ['connect', 3],
    ['TLS', 6],
    ['first byte', 9],
    ['rest of the answer', 10],
  ])
  const refused = { resolved_ms: 1, connected_ms: null, answered_ms: null, total_ms: 2 }
  expect(namesOf(refused)).toEqual([
    ['DNS', 1],
    ['connect', 2],
  ])
  expect(namesOf({ ...refused, reached_ms: 2, total_ms: 8 }).at(-1)).toEqual(['TLS', 8])
})

test('findPhases() returns the known phases of an interrupted exchange', () => {
  expect(findPhases({ connected_ms: null, answered_ms: null, total_ms: null })).toEqual([])
  expect(findPhases({ connected_ms: 4, answered_ms: null, total_ms: null })).toHaveLength(1)
})

test('formatMilliseconds() chooses the unit and the precision according to the duration', () => {
  expect([0.04, 4.26, 9.97, 312.4, 999.7, 10_000].map(formatMilliseconds)).toEqual([
    '0.0 ms',
    '4.3 ms',
    '10 ms',
    '312 ms',
    '1.00 s',
    '10.00 s',
  ])
})
