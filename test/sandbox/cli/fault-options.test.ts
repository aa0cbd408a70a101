import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { FAULT_KINDS_HELP, faultKindOf } from '../../../sandbox/cli/fault-kinds.ts'
import { faultOf, probabilityOf } from '../../../sandbox/cli/fault-options.ts'
import { added, listed } from '../../../sandbox/cli/faults-command.ts'
import { UsageError } from '../../../sandbox/cli/failure.ts'
import { CONTROL_SCHEMAS } from '../../support/control-schemas.ts'
import { fault } from '../../support/control-records.ts'

const FLAGS = { data: '.hookbench' }
const { kind, ...rest } = CONTROL_SCHEMAS.FaultRequest.properties
const KINDS: readonly string[] = kind.enum

test('every kind of fault is told about in lines that fit a terminal', () => {
  const lines = FAULT_KINDS_HELP.split('\n')
  const names = lines.flatMap((line) => /^ {2}([\w-]+) +\S/.exec(line)?.[1] ?? [])

  expect(new Set(names)).toEqual(new Set(KINDS))
  expect(lines.filter((line) => line.length > 100)).toEqual([])
  expect(KINDS.map(faultKindOf)).toEqual(KINDS)
})

test('faultOf() takes a match of several keys', () => {
  const flags = { ...FLAGS, match: ['object_type=items', 'attempt=1', 'path=/items/1?a=b'], times: 1 }

  expect(faultOf('delivery', 'duplicate', flags)).toEqual({
    on: 'delivery',
    kind: 'duplicate',
    match: { object_type: 'items', attempt: 1, path: '/items/1?a=b' },
    times: 1,
  })
})

test('every field of a fault has its flag', () => {
  const flags = {
    ...FLAGS,
    match: Object.keys(CONTROL_SCHEMAS.FaultMatch.properties).map((key) => `${key}=1`),
    times: 1,
    skip: 2,
    probability: 0.5,
    seed: 3,
    copies: 4,
    delay: 5,
    status: 503,
    retryAfter: 6,
    revisionsBack: 7,
    set: ['/items/amount=8'],
    body: '{}',
  }

  const request = faultOf('api', 'status', flags)

  expect(Object.keys(request).toSorted()).toEqual(['kind', ...Object.keys(rest)].toSorted())
  expect(request).toMatchObject({ delay_ms: 5, retry_after: 6, revisions_back: 7, body: {} })
})

test('faultOf() sets values by JSON pointer, as text where the field is text', () => {
  const set = [
    '/items/amount=1',
    '/items/name=1',
    '/items/state=completed',
    '/nope/0/a=true',
    '/items/related:={"a":"b=:=c"}',
    '/a=b:=c',
  ]

  expect(faultOf('delivery', 'altered-body', { ...FLAGS, set }).set).toEqual({
    '/items/amount': 1,
    '/items/name': '1',
    '/items/state': 'completed',
    '/nope/0/a': true,
    '/items/related': { a: 'b=:=c' },
    '/a': 'b:=c',
  })
})

test.each([
  ['dupliacte', {}, 'did you mean "duplicate"?'],
  ['duplicate', { match: ['items'] }, 'write it as key=value'],
  ['duplicate', { match: ['object_type='] }, 'write it as key=value'],
  ['duplicate', { match: ['objecttype=items'] }, 'did you mean "object_type"?'],
  ['duplicate', { match: ['state=a', 'state=b'] }, '"state" is given twice'],
  ['duplicate', { match: ['attempt=first'] }, 'a whole number from 1'],
  ['altered-body', { set: ['items/amount=1'] }, 'write it as /pointer=value'],
  ['altered-body', { set: ['/items/amount'] }, 'write it as /pointer=value'],
  ['altered-body', { set: ['/a=1', '/a=2'] }, 'Cannot set "/a" twice'],
  ['altered-body', { set: ['/a:=nope'] }, 'is not JSON'],
  ['altered-body', { body: 'nope' }, 'is not JSON'],
])('faultOf() refuses %s with %j', (...row) => {
  const [name, flags, message] = row

  expect(() => faultOf('delivery', name, { ...FLAGS, ...flags })).toThrow(UsageError)
  expect(() => faultOf('delivery', name, { ...FLAGS, ...flags })).toThrow(message)
})

test('probabilityOf() takes a chance', () => {
  expect(['1', '0.25', '1e-3'].map(probabilityOf)).toEqual([1, 0.25, 0.001])
  for (const text of ['0', '1.1', '', 'x', '-1']) expect(() => probabilityOf(text)).toThrow(UsageError)
})

test('added() says what goes wrong, how often, and how to end it', () => {
  const told = [
    fault(),
    fault({ times: null, match: { object_type: 'items', attempt: 1 } }),
    fault({ times: 3 }),
  ]

  expect(told.map((each) => added(each).split('\n')[0])).toEqual([
    'Added fault f1: delivery duplicate on everything, once',
    'Added fault f1: delivery duplicate on object_type=items attempt=1, until it is removed',
    'Added fault f1: delivery duplicate on everything, 3 times',
  ])
  expect(added(fault())).toContain('npx hookbench faults remove f1')
})

test('listed() shows each fault, how often it applied, and what it was told', () => {
  const told = fault({ applied: 1, times: 3, skip: 2, probability: 0.5, seed: 7, settings: { copies: 2 } })

  const [, row] = stripVTControlCharacters(listed([told])).split('\n')

  expect(row).toMatch(
    /^f1 +delivery +duplicate +everything +1 of 3 times +skip=2 probability=0.5 seed=7 copies=2$/,
  )
  expect(listed([fault({ applied: 1 })])).toContain('1 of 1 times, used up')
  expect(listed([])).toBe('No faults: nothing goes wrong on purpose')
})
