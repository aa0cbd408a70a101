import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { eventTypes } from '../../../sandbox/api/control/event-text.ts'
import { parseEventTypes } from '../../../sandbox/cli/events-command.ts'
import { attemptLines } from '../../../sandbox/cli/exchange-lines.ts'
import { prettyJson } from '../../../sandbox/cli/sandbox-flags.ts'
import { attempt, exchange } from '../../support/control-records.ts'
import { CONTROL_SCHEMAS } from './all-commands.ts'

const AT = '2026-01-01T00:00:00.000Z'

test('prettyJson() keeps line structure and replaces bidirectional control characters', () => {
  expect(prettyJson({ a: '\u202Eb\n' })).toBe('{\n  "a": "\uFFFDb\\n"\n}')
})

test('the printed attempt shows manual sends, applied faults and simultaneous requests', () => {
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

test('every event type has a line format', () => {
  expect([...eventTypes].toSorted()).toEqual([...CONTROL_SCHEMAS.Event.properties.type.enum].toSorted())
})

test('parseEventTypes() reads comma-separated types and suggests the nearest type', () => {
  expect(parseEventTypes('job,attempt')).toEqual(['job', 'attempt'])
  expect(() => parseEventTypes('job,atempt')).toThrow('Did you mean "attempt"?')
})
