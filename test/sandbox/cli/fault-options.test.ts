import { expect, test } from 'vitest'
import { faultRequest, parseProbability } from '../../../sandbox/cli/fault-options.ts'
import { manualOf } from '../../../sandbox/cli/manual.ts'
import { faultsCommand } from '../../../sandbox/cli/fault-commands.ts'
import { UsageError } from '../../../sandbox/cli/failure.ts'
import { CONTROL_SCHEMAS } from './all-commands.ts'
import { parseFields } from '../../../sandbox/cli/fields.ts'

const FLAGS = { data: '.hookbench' }

const { kind, ...rest } = CONTROL_SCHEMAS.FaultRequest.properties

const KINDS: readonly string[] = kind.enum

test('the help describes every fault kind that the command accepts', () => {
  const [add = expect.fail()] = faultsCommand().commands
  const names = Object.values(manualOf(add)?.lists ?? {}).flatMap((rows) => rows.map(([name]) => name))

  expect(new Set(names)).toEqual(new Set(KINDS))
  expect(add.registeredArguments[1]?.argChoices?.toSorted()).toEqual(KINDS.toSorted())
})

test('faultRequest() reads a match with several keys', async () => {
  const flags = { ...FLAGS, match: ['object_type=items', 'attempt=1', 'path=/items/1?a=b'], times: 1 }

  expect(await faultRequest({ on: 'delivery', kind: 'duplicate', ...flags })).toEqual({
    on: 'delivery',
    kind: 'duplicate',
    match: { object_type: 'items', attempt: 1, path: '/items/1?a=b' },
    times: 1,
  })
})

test('every fault field has a command-line flag', async () => {
  const flags = {
    ...FLAGS,
    match: Object.keys(CONTROL_SCHEMAS.FaultMatch.properties).map((key) => `${key}=1`),
    times: 1,
    skip: 2,
    probability: 0.5,
    seed: 3,
    copies: 4,
    delay: 5,
    at: 'body' as const,
    status: 503,
    retryAfter: 6,
    revisionsBack: 7,
    set: ['/items/amount=8'],
    body: '{}',
  }

  const request = await faultRequest({ on: 'api', kind: 'status', ...flags })

  expect(Object.keys(request).toSorted()).toEqual(['kind', ...Object.keys(rest)].toSorted())
  expect(request).toMatchObject({ delay_ms: 5, retry_after: 6, revisions_back: 7, body: {} })
})

test('faultRequest() sets values by JSON pointer and keeps text fields as text', async () => {
  const set = [
    '/items/amount=1',
    '/items/name=1',
    '/items/state=completed',
    '/nope/0/a=true',
    '/items/related:={"a":"b=:=c"}',
    '/a=b:=c',
  ]

  expect((await faultRequest({ on: 'delivery', kind: 'modified-body', ...FLAGS, set })).set).toEqual({
    '/items/amount': 1,
    '/items/name': '1',
    '/items/state': 'completed',
    '/nope/0/a': true,
    '/items/related': { a: 'b=:=c' },
    '/a': 'b:=c',
  })
})

test.each([
  ['duplicate', { match: ['items'] }, 'write it as key=value'],
  ['duplicate', { match: ['objecttype=items'] }, 'Did you mean "object_type"?'],
  ['duplicate', { match: ['state=a', 'state=b'] }, '"state" is given twice'],
  ['modified-body', { set: ['/items/amount'] }, 'write it as /pointer=value'],
  ['modified-body', { set: ['/a=1', '/a=2'] }, 'Cannot set "/a" twice'],
  ['modified-body', { set: ['/a:=nope'] }, 'is not JSON'],
  ['modified-body', { body: 'nope' }, 'is not JSON'],
] as const)('faultRequest() rejects %s with %j', async (name, flags, message) => {
  const request = () => faultRequest({ on: 'delivery', kind: name, ...FLAGS, ...flags })

  // UsageError and RangeError both end the program with exit code 2.
  await expect(request()).rejects.toMatchObject({
    name: expect.stringMatching(/^(Usage|Range)Error$/),
    message: expect.stringContaining(message),
  })
})

test('parseProbability() accepts only a valid probability', () => {
  expect(['1', '0.25', '1e-3'].map(parseProbability)).toEqual([1, 0.25, 0.001])
  for (const text of ['0', '1.1', '', 'x', '-1']) expect(() => parseProbability(text)).toThrow(UsageError)
})

test.each([
  ['items', 'amount=1200', { amount: 1200 }],
  ['items', 'amount=0012', { amount: '0012' }],
  ['items', 'name=500', { name: '500' }],
  ['items', 'name=a=b:=c', { name: 'a=b:=c' }],
  ['items', 'name=', { name: '' }],
  ['items', 'related:={"buyers":"x"}', { related: { buyers: 'x' } }],
  ['items', 'nope=5', { nope: 5 }],
  ['items', 'custom_descriptor=null', { custom_descriptor: null }],
  ['virtual_accounts', 'status=active', { status: 'active' }],
  ['nope', 'a=true', { a: true }],
])('parseFields(%s) parses %s', (type, pair, fields) => {
  expect(parseFields(type, [pair])).toEqual(fields)
})

test.each([[['nope']], [['=5']], [[':=5']], [['a:=nope']], [['a=1', 'a=2']]])(
  'parseFields() rejects %j',
  (pairs) => {
    expect(() => parseFields('items', pairs)).toThrow(RangeError)
  },
)
