import { expect, test } from 'vitest'
import { judge } from '../../../../sandbox/engine/delivery/retry-schedule.ts'
import { answered } from '../../../support/scripted-transport.ts'

const schedule = { offsetsMs: [1_000, 60_000], firstEndedAt: 500 }
const timedOut = { kind: 'unanswered', reason: 'header_timeout', message: 'Too late' } as const

test.each([200, 204, 299])('judge() takes %d for a delivery, at any attempt', (status) => {
  expect([1, 2, 3].map((number) => judge(answered(status), number, schedule).kind)).toEqual(
    Array.from({ length: 3 }, () => 'delivered'),
  )
})

test.each([100, 199, 300, 304, 404, 410, 429, 500, 999])('judge() takes %d for a failure', (status) => {
  expect(judge(answered(status), 1, schedule)).toEqual({ kind: 'retry', dueAt: 1_500 })
})

test('judge() counts every slot from the end of the first attempt, and stops at the last', () => {
  expect([1, 2, 3].map((number) => judge(timedOut, number, schedule))).toEqual([
    { kind: 'retry', dueAt: 1_500 },
    { kind: 'retry', dueAt: 60_500 },
    { kind: 'exhausted' },
  ])
})
