import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { clockText, settleText } from '../../../sandbox/cli/clock-commands.ts'
import { formatRequests } from '../../../sandbox/cli/request-commands.ts'
import { eventText, eventTypes } from '../../../sandbox/api/control/event-text.ts'
import { eventLine, parseEventTypes } from '../../../sandbox/cli/events-command.ts'
import { attemptLines } from '../../../sandbox/cli/exchange-lines.ts'
import { formatResend } from '../../../sandbox/cli/job-commands.ts'
import { formatDescription, formatObjects } from '../../../sandbox/cli/objects-command.ts'
import { formatPayments } from '../../../sandbox/cli/payment-commands.ts'
import { formatTimeline } from '../../../sandbox/cli/timeline-command.ts'
import { formatRegistrations } from '../../../sandbox/cli/registration-commands.ts'
import { prettyJson } from '../../../sandbox/cli/sandbox-flags.ts'
import { attempt, call, exchange, fault, job, payment, registration } from '../../support/control-records.ts'
import { CONTROL_SCHEMAS } from '../../support/all-commands.ts'

const AT = '2026-01-01T00:00:00.000Z'
const FLAGS = { data: 'mine' }
const words = (text: string) => stripVTControlCharacters(text).replaceAll(/ {2,}/g, ' | ')

test('clockText() says what moves the clock', () => {
  const shown = [
    clockText({ mode: 'real', speed: 1, now: AT }, FLAGS),
    clockText({ mode: 'manual', speed: 0, now: AT }, FLAGS),
    clockText({ mode: 'compressed', speed: 300, now: AT }, FLAGS),
  ]

  expect(shown).toEqual([
    `The clock shows ${AT}; real time`,
    `The clock shows ${AT}; manual: moved by "npx hookbench advance --data mine"`,
    `The clock shows ${AT}; compressed: 300 times real time`,
  ])
})

test('prettyJson() keeps its lines, and nothing that turns one around', () => {
  expect(prettyJson({ a: '\u202Eb\n' })).toBe('{\n  "a": "\uFFFDb\\n"\n}')
})

test('payments are listed with what comes next', () => {
  const next = { next_due_at: AT }
  const page = { payments: [payment(), payment({ step: 2 }), payment(next)], older: 3, next_cursor: '6' }
  const [older, _, ...rows] = formatPayments(page, { data: 'mine', limit: 3 }).split('\n')

  expect(rows.slice(0, 3).map((row) => words(row).split(' | ').at(-1))).toEqual(['when asked', 'done', AT])
  expect([older, rows[3]]).toEqual([
    '3 older: npx hookbench payments --limit 3 --cursor 0 --data mine',
    'More: npx hookbench payments --limit 3 --cursor 6 --data mine',
  ])
  expect(formatPayments({ payments: [], older: 0, next_cursor: null }, { data: 'mine', limit: 3 })).toContain(
    'npx hookbench play card-payin --data mine',
  )
})

test('the timeline lists jobs by payment and object, with when each attempt was made', () => {
  const made = (number: number, reason: string | null, at: string) => ({
    number,
    at,
    status: reason === null ? 204 : 503,
    reason,
    manual: number === 3,
  })
  const failed = {
    job: job({ payment_id: 'payment-1', next_due_at: AT }),
    attempts: [made(1, 'http_503', AT), made(2, 'http_503', '2026-01-01T00:05:00.000Z'), made(3, null, AT)],
  }
  const alone = { job: job({ object_id: 'i2', created_at: AT }), attempts: [] }
  const later = { ...failed, attempts: [] }
  const called = { id: 1, at: AT, object_type: 'items', object_id: 'i1', operation: 'showItem', status: 200 }
  const page = { jobs: [failed, alone, later], payments: [], calls: [called], older: 7, before: '7' }
  const [older, _, ...rows] = formatTimeline(page, { data: 'mine', limit: 50 }).split('\n')

  expect(older).toBe('7 older: npx hookbench timeline --before 7 --data mine')
  expect(rows.map(words)).toEqual([
    `${AT} | payment-1 | items i1 | completed | ✗ 503 ✗ 503 +5 min ✓ 204 by hand | ${AT} | 1`,
    `${AT} | payment-1 | items i1 | completed | ${AT}`,
    `${AT} | items i2 | completed`,
  ])
})

test('objects are listed with their states, and how to get the page before', () => {
  const item = { object_type: 'items', id: 'i1', revision: 2, state: 'completed' }
  const flags = { data: 'mine', type: 'items', limit: 2, state: 'completed', before: '9' } as const
  const [older, _, row] = formatObjects({ objects: [item], older: 7, before: '7' }, flags).split('\n')

  expect(older).toBe(
    '7 older: npx hookbench objects items --state completed --limit 2 --before 7 --data mine',
  )
  expect(words(row ?? '')).toBe('i1 | completed | 2')
  expect(formatObjects({ objects: [], older: 0, before: null }, { ...flags, limit: 200 })).toBe('No items')
})

test('an object is described by where it can go and where each field is known from', () => {
  const mark = (source: string | null, reading: string | null) => ({ source, reading })
  const field = (path: string, known: ReturnType<typeof mark>) => ({
    path,
    value: '1',
    about: '',
    mark: known,
  })
  const [first, _, ...rows] = formatDescription({
    object_type: 'items',
    id: 'i1',
    revision: 1,
    state: 'pending',
    payment_id: null,
    states: [],
    transitions: null,
    next: ['completed', 'voided'],
    moves: mark(null, 'unshown-transitions'),
    fields: [field('id', mark('§2.5', null)), field('state', mark('§2.5', 'item-states'))],
  }).split('\n')

  expect(first).toBe(
    'items i1 is pending, and can be moved to: completed, voided (read by unshown-transitions)',
  )
  expect(rows.map(words)).toEqual(['id | 1 | stated, §2.5', 'state | 1 | read by item-states, §2.5'])
})

test('registrations are listed with their generation', () => {
  const disabled = registration({ id: 'r2', generation: 'callbacks', enabled: false })
  const text = formatRegistrations([registration(), disabled], { data: 'mine' })

  expect(text.split('\n').slice(1).map(words)).toEqual([
    'r1 | webhook | items | yes | https://localhost:9443/',
    'r2 | callback | items | no | https://localhost:9443/',
  ])
  expect(formatRegistrations([], { data: 'mine' })).toContain(
    'npx hookbench register URL --type items --data mine',
  )
})

test('requests are listed with who asked and what was answered', () => {
  const cut = call({ by: null, status: null, took_ms: null, faults: [{ id: 'f', kind: 'reset' }] })
  const page = { requests: [call(), cut], older: 0, next_cursor: '3' }

  const rows = formatRequests(page, { data: 'mine', limit: 2, type: 'items' }).split('\n').map(words)

  expect(rows.slice(1)).toEqual([
    `${AT} | sandbox@example.test | GET /items/i1 | 200 | 3 | mine/1.0`,
    `${AT} | GET /items/i1 | - | - | reset | mine/1.0`,
    'More: npx hookbench requests --type items --limit 2 --cursor 3 --data mine',
  ])
})

test('an attempt shows that it was made by hand, what went wrong on purpose, and what went beside it', () => {
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

test('an attempt shows that a kept connection made two of one delivery', () => {
  const [line = ''] = attemptLines(attempt({ flags: ['connection_retried'] }))

  expect(stripVTControlCharacters(line)).toBe(
    `  1. ${AT}  Answered 204, 12 ms (sent twice, since the kept connection ended without an answer)`,
  )
})

test('an attempt whose answer was lost shows what it was', () => {
  const others = [exchange({ status: 201 }), exchange()]
  const lines = attemptLines(attempt({ faults: [{ id: 'f', kind: 'lost-answer' }], others }))

  expect(lines.slice(1)).toEqual([
    '     answered 201, 12 ms, and the answer was lost',
    '     beside it: 204, 12 ms',
  ])
})

test('formatResend() shows the new attempt and what is still due', () => {
  const attempts = [attempt(), attempt({ number: 2, manual: true })]

  const [first, second] = formatResend({ job: job({ status: 'failed', next_due_at: AT }), attempts }).split(
    '\n',
  )

  expect(first).toBe(`Resent job j1 to https://localhost:9443/: it is failed, next attempt due ${AT}`)
  expect(second).toContain('  2. ')
})

test('settleText() says what is waited for', () => {
  const what = CONTROL_SCHEMAS.Waiting.properties.what.enum as readonly 'attempts'[]
  const waiting_for = what.map((each, count) => ({ what: each, count: count + 1 }))
  const text = settleText({ settled: false, waiting_for }, FLAGS)

  expect(text.split('\n')).toEqual([
    'Not settled, still waiting for:',
    '  1 attempt that is due or under way',
    '  2 manual deliveries or test POSTs in flight',
    '  3 payment steps that are due',
    '  4 deliveries or calls that a fault holds back (npx hookbench faults --data mine)',
    '  5 attempts that request_response does not show yet',
  ])
  expect(settleText({ settled: true }, FLAGS)).toBe('Settled, with nothing due or in flight')
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
