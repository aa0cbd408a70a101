import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { attemptLine, table, unsubscribedLine } from '../../../sandbox/cli/terminal.ts'
import { duration } from '../../../sandbox/engine/core/short-text.ts'
import { ATTEMPT, JOB, NOW } from '../../support/attempt-records.ts'

test.each([
  [
    'webhooks',
    '  items changed, but no webhook is registered for items: npx hookbench register URL --type items --data mine',
  ],
  [
    'callbacks',
    '  items changed, but no callback is registered for items: npx hookbench register URL --type items --generation callbacks --data mine',
  ],
] as const)('unsubscribedLine() says how to register for %s', (generation, line) => {
  expect(
    stripVTControlCharacters(unsubscribedLine({ object_type: 'items', generation }, { data: 'mine' })),
  ).toBe(line)
})

test.each([
  [0, '0 ms'],
  [12.4, '12 ms'],
  [994, '994 ms'],
  [995, '1 s'],
  [4_000, '4 s'],
  [59_600, '60 s'],
  [59_800, '1 min'],
  [1_200_000, '20 min'],
  [3_600_000, '1 h'],
  [19_200_000, '5 h 20 min'],
  [86_400_000, '1 d'],
  [100_800_000, '1 d 4 h'],
])('duration() shows %d ms as %s', (durationMs, shown) => {
  expect(duration(durationMs)).toBe(shown)
})

const ACCEPTED = { ...ATTEMPT, status: 204, reason: null }
const UNANSWERED = { ...ATTEMPT, status: null, reason: 'reset', message: 'It was \u001B[2Jreset' } as const

test.each([
  ['a retry to come, at speed 300', JOB, ATTEMPT, 300, '503 in 4 ms, next in 20 min (4 s)'],
  ['a retry to come, in real time', JOB, ATTEMPT, 1, '503 in 4 ms, next in 20 min'],
  ['a retry to come, by hand', JOB, ATTEMPT, 0, '503 in 4 ms, next in 20 min of the manual clock'],
  ['no retry to come', { ...JOB, next_due_at: null }, ATTEMPT, 1, '503 in 4 ms, given up'],
  ['an acceptance', { ...JOB, next_due_at: null }, ACCEPTED, 1, '204 in 4 ms'],
  [
    'a flag',
    { ...JOB, next_due_at: null },
    { ...ACCEPTED, flags: ['response_truncated'] as const },
    1,
    '204 in 4 ms (the answer is longer than what is kept)',
  ],
] as const)('attemptLine() tells of %s', (...row) => {
  const [, job, attempt, speed, told] = row

  const line = attemptLine(job, attempt, { now: () => NOW, speed })

  expect(stripVTControlCharacters(line)).toBe(`→ items 3f2b7c9d… attempt 2  ← ${told}`)
})

test('attemptLine() shows the state, and in a second line why there was no answer', () => {
  const job = { ...JOB, state: 'completed', object_id: 'short' }

  const line = attemptLine(job, UNANSWERED, { now: () => NOW, speed: 1 })

  const [first, second, ...rest] = stripVTControlCharacters(line).split('\n')
  expect(first).toBe('→ items short completed attempt 2  ← reset in 4 ms, next in 20 min')
  expect([second, rest]).toEqual([expect.stringMatching(/^ {2}It was .*reset$/), []])
  expect(line).not.toContain('\u001B[2J')
})

test('table() makes each column as wide as its widest cell', () => {
  expect(table([['A', 'B', 'C'], ['long', '', 'x'], ['y']])).toBe('A     B  C\nlong     x\ny')
})

test('table() does not count what makes a cell coloured', () => {
  const [first, second] = table([
    ['\u001B[36mab\u001B[39m', 'x'],
    ['abcd', 'y'],
  ]).split('\n')

  expect([first, second]).toEqual(['\u001B[36mab\u001B[39m    x', 'abcd  y'])
})

test('attemptLine() says which of two equal deliveries is the callback', () => {
  const line = attemptLine({ ...JOB, generation: 'callbacks' }, ATTEMPT, { now: () => NOW, speed: 1 })

  expect(line).toContain(' by callback attempt 2 ')
})
