import { expect, test } from 'vitest'
import { findPhases, formatMilliseconds } from '../../../../sandbox/dashboard/delivery/phases.ts'

test('an exchange has its phases, one after the other', () => {
  expect(findPhases({ connected_ms: 4, answered_ms: 9, total_ms: 10 })).toEqual([
    { name: 'connection', fromMs: 0, toMs: 4 },
    { name: 'first byte', fromMs: 4, toMs: 9 },
    { name: 'rest of the answer', fromMs: 9, toMs: 10 },
  ])
})

test('one that failed has those that it came to, and the one that it ended in', () => {
  expect(findPhases({ connected_ms: null, answered_ms: null, total_ms: 7 })).toEqual([
    { name: 'connection', fromMs: 0, toMs: 7 },
  ])
  expect(findPhases({ connected_ms: 4, answered_ms: null, total_ms: 7 }).at(-1)).toEqual({
    name: 'first byte',
    fromMs: 4,
    toMs: 7,
  })
})

test('one that was cut off with the sandbox has only what is known', () => {
  expect(findPhases({ connected_ms: null, answered_ms: null, total_ms: null })).toEqual([])
  expect(findPhases({ connected_ms: 4, answered_ms: null, total_ms: null })).toHaveLength(1)
})

test('times are as exact as a person needs', () => {
  expect([0.04, 4.26, 9.97, 312.4, 999.7, 10_000].map(formatMilliseconds)).toEqual([
    '0.0 ms',
    '4.3 ms',
    '10 ms',
    '312 ms',
    '1.00 s',
    '10.00 s',
  ])
})
