import { expect, test } from 'vitest'
import type { BookDifference } from '../../../contracts/load/books.ts'
import { concludeLoad, type LoadResult } from '../../../contracts/load/conclusion.ts'
import type { LoadResponse } from '../../../contracts/load/measurements.ts'
import { loadResult, measured } from '../support/load-results.ts'

const lost: BookDifference = {
  entry: { type: 'transactions', id: '5ec8', expected: { effects: 1 }, isKnown: true },
  effects: 0,
  difference: { expected: 'one effect', actual: 'no effect', symptom: 'missing-effect' },
}
const status = (code: number): LoadResponse => ({ kind: 'status', status: code })
const reason = (word: string): LoadResponse => ({ kind: 'reason', reason: word })
const connections = { limit: 4, peak: 4, waits: 0, heldWaits: 0 }

const CASES: readonly (readonly [
  what: string,
  result: Partial<LoadResult>,
  expected: string,
  maxP99Ms?: number,
])[] = [
  ['nothing is wrong', {}, 'passed'],
  ['effects are not observable', { comparison: { kind: 'not-observable' } }, 'effects-unseen'],
  ['effects cannot be read', { comparison: { kind: 'unread', why: 'it is down' } }, 'effects-unread'],
  ['it was stopped', { comparison: { kind: 'stopped' } }, 'stopped'],
  [
    'the receiver answered 500 before the load was stopped',
    { comparison: { kind: 'stopped' }, measurements: measured({ answers: [status(500)] }) },
    'failed',
  ],
  ['the receiver was not reached', { unreached: 'nothing listens there' }, 'unreached'],
  [
    'the receiver answered one notification with 500',
    { measurements: measured({ answers: [status(204), status(500)] }) },
    'failed',
  ],
  [
    'an effect is missing',
    { comparison: { kind: 'compared', objects: 9, compared: 9, differences: [lost] } },
    'failed',
  ],
  ['the receiver is slower than allowed', { measurements: measured({ latencyMs: 300 }) }, 'failed', 250],
  ['the receiver is as slow as allowed', { measurements: measured({ latencyMs: 240 }) }, 'passed', 250],
  [
    'the receiver occupies all connections until the load ends',
    {
      measurements: measured({ unsent: { unmade: 0, unplaced: 3 } }),
      connections: { ...connections, heldWaits: 3 },
    },
    'failed',
  ],
  [
    'the receiver does not answer earlier notifications of the same objects',
    { measurements: measured({ unsent: { unmade: 0, unplaced: 3 } }) },
    'failed',
  ],
  ['no notification was sent', { measurements: measured({ answers: [] }) }, 'sender-limited'],
  ['the sender process was late', { measurements: measured({ wakeMs: 80 }) }, 'sender-limited'],
  ['the sender sent notifications late', { measurements: measured({ lagMs: 80 }) }, 'sender-limited'],
  ['there were too few connections', { connections: { ...connections, waits: 1 } }, 'sender-limited'],
  [
    'some notifications were never prepared',
    { measurements: measured({ unsent: { unmade: 3, unplaced: 0 } }) },
    'sender-limited',
  ],
  [
    'the operating system refused more connections',
    { measurements: measured({ answers: [status(204), reason('out_of_resources')] }) },
    'sender-limited',
  ],
  [
    'a response seems missing because the sender process was late',
    { measurements: measured({ answers: [status(204), reason('header_timeout')], wakeMs: 9_000 }) },
    'sender-limited',
  ],
  [
    'the receiver seems too slow, but only because notifications waited for connections',
    { measurements: measured({ latencyMs: 900, answerMs: 90 }), connections: { ...connections, waits: 9 } },
    'sender-limited',
    250,
  ],
]

test.each(CASES.map(([what, ...row]) => [what, row] as const))(
  'concludeLoad() decides the result when %s',
  (_, [given, expected, maxP99Ms]) => {
    expect(concludeLoad(loadResult(given), { maxP99Ms }).kind).toBe(expected)
  },
)

const OUTCOMES = [
  ['passed', 0, 'good'],
  ['effects-unseen', 0, 'partial'],
  ['failed', 1, 'bad'],
  ['unreached', 3, 'unknown'],
  ['stopped', 3, 'unknown'],
  ['sender-limited', 3, 'unknown'],
  ['effects-unread', 3, 'unknown'],
] as const

test.each(OUTCOMES)('the load conclusion %s has exit code %i and the tone %s', (wanted, ...outcome) => {
  const results = CASES.map(([, given, , maxP99Ms]) => concludeLoad(loadResult(given), { maxP99Ms }))
  const found = results.find(({ kind }) => kind === wanted)

  expect([found?.exitCode, found?.tone]).toEqual(outcome)
})

test('the conclusion of a failed load states how many notifications were rejected and why, and how objects differ', () => {
  const answers = [status(500), status(500), reason('header_timeout'), status(204)]
  const twice: BookDifference = {
    entry: { ...lost.entry, id: '77' },
    effects: 2,
    difference: { expected: 'one effect', actual: '2 effects', symptom: 'repeated-effect' },
  }
  const result = loadResult({
    measurements: measured({ answers }),
    comparison: { kind: 'compared', objects: 9, compared: 9, differences: [lost, twice] },
  })

  expect(concludeLoad(result, { maxP99Ms: undefined }).failures).toEqual([
    'your receiver did not accept 3 of 4 notifications: 500 (2 times), header_timeout (1 time)',
    '2 of 9 objects differ from the service: 1 have no effect, but should have one, 1 have more than one effect',
  ])
})

test('the conclusion of a failed load distinguishes missing connections from unprepared notifications', () => {
  const reasonOf = (given: Partial<LoadResult>) =>
    concludeLoad(loadResult(given), { maxP99Ms: undefined }).details[0]
  const unplaced = { measurements: measured({ unsent: { unmade: 0, unplaced: 3 } }) }

  expect([
    reasonOf({ ...unplaced, connections: { ...connections, waits: 3 } }),
    reasonOf({ ...unplaced, connections: { ...connections, heldWaits: 3 } }),
    reasonOf(unplaced),
    reasonOf({ measurements: measured({ unsent: { unmade: 3, unplaced: 0 } }) }),
  ]).toEqual([
    expect.stringMatching(/^The sender did not send 3 notifications, because no connection was free/),
    expect.stringMatching(
      /^The sender did not send 3 notifications, because your receiver kept all 4 connections in use/,
    ),
    expect.stringMatching(
      /^The sender did not send 3 notifications, because your receiver kept earlier notifications of/,
    ),
    expect.stringMatching(/^The sender did not send 3 notifications, because they were not ready/),
  ])
})
