import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { eventText, eventTypes } from '../../../sandbox/api/control/event-text.ts'
import { eventLine, parseEventTypes } from '../../../sandbox/cli/events-command.ts'
import { attemptLines } from '../../../sandbox/cli/exchange-lines.ts'
import { prettyJson } from '../../../sandbox/cli/sandbox-flags.ts'
import { attempt, call, exchange, fault, job, payment, registration } from '../../support/control-records.ts'
import { CONTROL_SCHEMAS } from '../../support/all-commands.ts'

const AT = '2026-01-01T00:00:00.000Z'
const words = (text: string) => stripVTControlCharacters(text).replaceAll(/ {2,}/g, ' | ')

test('prettyJson() keeps lines and removes bidirectional characters', () => {
  expect(prettyJson({ a: '\u202Eb\n' })).toBe('{\n  "a": "\uFFFDb\\n"\n}')
})

test('an attempt shows manual sends, applied faults and parallel requests', () => {
  const lost = exchange({ status: null, reason: 'reset', message: 'Cut' })
  const lines = attemptLines(
    attempt({ manual: true, faults: [{ id: 'f', kind: 'duplicate' }], others: [exchange(), lost] }),
  )

  expect(lines.map((line) => stripVTControlCharacters(line))).toEqual([
    `  1. ${AT}  Answered 204, 12 ms (by hand; fault duplicate)`,
    '     beside it: 204, 12 ms',
    '     beside it: reset: Cut, 12 ms',
  ])
})

test('every type of event has a line', () => {
  expect([...eventTypes].toSorted()).toEqual([...CONTROL_SCHEMAS.Event.properties.type.enum].toSorted())
})

test.each([
  ['object', { object_type: 'items', id: 'i1', revision: 2 }, 'items i1 revision 2'],
  ['job', { job: job({ object_id: '0123456789ab' }) }, '→ items 01234567… completed (job j1)'],
  ['attempt', { job: job(), ...attempt() }, '→ items i1 completed attempt 1 ← 204'],
  [
    'attempt',
    {
      job: job({ next_due_at: AT, generation: 'callbacks' }),
      ...attempt({ status: 503, reason: 'http_503' }),
    },
    `→ items i1 completed by callback attempt 1 ← 503, next at ${AT}`,
  ],
  [
    'attempt',
    {
      job: job(),
      ...attempt({
        status: null,
        reason: 'reset',
        message: 'Cut',
        manual: true,
        faults: [{ id: 'f', kind: 'drop' }],
      }),
    },
    '→ items i1 completed attempt 1 ← reset Cut (by hand) (fault drop), given up',
  ],
  ['job_called_off', { job: job() }, '→ items i1 completed (job j1) is not sent any more'],
  ['request', call(), 'GET /items/i1 ← 200 to sandbox@example.test mine/1.0'],
  ['request', call({ status: null, by: null, user_agent: null }), 'GET /items/i1 ← no answer'],
  ['registration', registration({ enabled: false }), 'webhook r1 items https://localhost:9443/ disabled'],
  ['payment', payment(), 'card-payin to completed: step 1 of 2 (payment p1)'],
  ['fault', fault({ match: { state: 'a' } }), 'added f1 delivery duplicate on state=a'],
  ['fault', fault({ matched: 1, applied: 1 }), 'applied f1 delivery duplicate: 1 of 1 times'],
  ['fault_removed', { id: 'f1' }, 'removed f1'],
  ['clock', { now: AT, speed: 0 }, `shows ${AT}, moved by hand`],
  ['world', { reason: 'reset' }, 'was reset'],
  ['readings', { 'retry-body': 'current' }, 'retry-body=current'],
  ['object', { id: '\u001B[2J' }, '\uFFFD[2J'],
  ['gap', {}, 'earlier events are no longer available. List jobs, requests and objects again'],
] as const)('eventLine() tells of %s', (type, data, told) => {
  const text = eventText({ type, data: { ...data } })
  const line = eventLine({ id: '7', type, at: AT, text, data: { ...data } })

  expect(words(line).replace(`${AT} | `, '')).toMatch(new RegExp(`^${type}( \\|)? `))
  expect(words(line).endsWith(`${told} | #7`)).toBe(true)
})

test('typesOf() reads types with commas between, and suggests the nearest', () => {
  expect(parseEventTypes('job,attempt')).toEqual(['job', 'attempt'])
  expect(() => parseEventTypes('job,atempt')).toThrow('Did you mean "attempt"?')
})
