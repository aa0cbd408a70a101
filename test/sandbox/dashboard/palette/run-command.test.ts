import { expect, test } from 'vitest'
import { OPERATIONS } from '../../../../spec/generated/control-operations.ts'
import type { OperationRow } from '../../../../spec/rows.ts'
import { COMMAND_CALLS, listCommands } from '../../../../build/page-commands.ts'
import { optionsOf, type CommandValues } from '../../../../sandbox/dashboard/palette/command-text.ts'
import { parseFields } from '../../../../sandbox/cli/fields.ts'
import {
  listNames,
  planCall,
  planRoute,
  unheededOptions,
} from '../../../../sandbox/dashboard/palette/run-command.ts'

const COMMANDS = await listCommands()

const find = (name: string) => COMMANDS.find((each) => each.name === name) ?? expect.fail(name)

function asked(name: string, values: CommandValues): unknown {
  const call = planCall(find(name), values)
  if (!call) return planRoute(find(name), values)
  const given = Object.entries(call.input).filter(([, fields]) => Object.keys(Object(fields)).length > 0)
  return [call.operation, Object.fromEntries(given)]
}

test('every command of the page is a command of the CLI', () => {
  const names = new Set(COMMANDS.map(({ name }) => name))

  expect(Object.keys(COMMAND_CALLS).filter((name) => !names.has(name))).toEqual([])
})

const MATCH = { operation: 'showItem', attempt: 2 }

test.each<[string, CommandValues, unknown]>([
  [
    'create',
    { type: 'items', fields: `amount=5 name:='"x"'` },
    ['createObject', { path: { type: 'items' }, body: { amount: 5, name: 'x' } }],
  ],
  [
    'next-outcome',
    { kind: 'card-payin', outcome: 'failed' },
    ['setNextOutcome', { body: { kind: 'card-payin', outcome: 'failed' } }],
  ],
  ['advance', { by: '25m' }, ['advanceClock', { body: { by: '25m' } }]],
  [
    'clock set',
    { mode: 'compressed', '--speed': '60' },
    ['setClock', { body: { mode: 'compressed', speed: 60 } }],
  ],
  [
    'worlds add',
    { name: 'anna', '--seed': '7', '--ttl': '7d' },
    ['addWorld', { body: { name: 'anna', seed: 7, ttl_seconds: 604_800 } }],
  ],
  ['faults', {}, { screen: 'workshop', path: ['faults'] }],
  ['job', { id: 'j1' }, { screen: 'jobs', path: ['j1'] }],
  [
    'faults add',
    {
      on: 'api',
      kind: 'status',
      '--match': 'operation=showItem attempt=2',
      '--status': '503',
      '--delay': '2s',
    },
    ['addFault', { body: { on: 'api', kind: 'status', match: MATCH, status: 503, delay_ms: 2_000 } }],
  ],
])('the palette command %s with %j makes the API call of the CLI command', (name, values, expected) => {
  expect(asked(name, values)).toEqual(expected)
})

test.each([
  ['items', ['name=123', 'amount=5']],
  ['items', ['custom_descriptor=null', 'description=true']],
  ['nope', ['a=1']],
])('the page and the terminal read the fields of %s in the same way: %j', (type, pairs) => {
  const values = { type, id: 'i', fields: pairs.join(' ') }

  expect(asked('change', values)).toEqual([
    'changeObject',
    { path: { type, id: 'i' }, body: parseFields(type, pairs) },
  ])
})

test.each<[string, CommandValues, RegExp]>([
  ['create', { type: 'items', fields: 'amount=1 amount=2' }, /"amount" is given twice/],
  ['create', { type: 'items', fields: 'amount' }, /write it as key=value/],
  ['change', { type: 'items', id: 'i', fields: 'a:={' }, /is not JSON/],
])('the page rejects the command %s with %j', (name, values, words) => {
  expect(() => asked(name, values)).toThrow(words)
})

test('the page has no action for a command without an API call or a screen', () => {
  expect(asked('up', {})).toBeUndefined()
})

test('unheededOptions() names the options that work only in the terminal', () => {
  const values = { kind: 'card-payin', '--dry': true, '--amount': '5' } as const

  expect(unheededOptions(find('play'), values)).toEqual(['--dry'])
  expect(unheededOptions(find('advance'), { by: '5m' })).toEqual([])
  expect(unheededOptions(find('next-outcome'), { '--clear': true })).toEqual([])
})

test('every name in a call is an argument or an option of its command', () => {
  const strays = COMMANDS.flatMap((row) => {
    const names = new Set([...optionsOf(row), ...row.arguments].map(({ name }) => name))
    const used = [...(row.calls ?? []).flatMap(listNames), ...(row.route?.path ?? [])]
    return used.filter((name) => !names.has(name) && !name.startsWith('='))
  })

  expect(strays).toEqual([])
})

test('every call has the required path and known queries of its operation', () => {
  const rows: Readonly<Record<string, OperationRow>> = OPERATIONS
  const strays = COMMANDS.flatMap(({ name, calls = [] }) =>
    calls.flatMap(({ operation, path, query }) => {
      const row = rows[operation] ?? expect.fail(operation)
      const known = new Set([...row.params, ...Object.keys(row.query)])
      const left = row.params.filter((param) => !Object.hasOwn(path, param))
      return [...Object.keys({ ...path, ...query }).filter((each) => !known.has(each)), ...left].map(
        (each) => `${name}: ${each}`,
      )
    }),
  )

  expect(strays).toEqual([])
})
