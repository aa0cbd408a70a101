import { expect, test } from 'vitest'
import { listCommands } from '../../../../sandbox/dashboard/build/command-list.ts'
import type { Perform } from '../../../../sandbox/compose/perform.ts'
import { optionsOf, type CommandValues } from '../../../../sandbox/dashboard/palette/command-text.ts'
import { parseFields } from '../../../../sandbox/cli/fields.ts'
import { readValues, RUNNERS, unheededOptions } from '../../../../sandbox/dashboard/palette/run-command.ts'

const COMMANDS = await listCommands()

/** What a command asks of the control API. */
async function asked(name: string, values: CommandValues): Promise<unknown> {
  const calls: unknown[] = []
  const perform = (async (...call: readonly unknown[]) => calls.push(call)) as unknown as Perform
  const runner = RUNNERS[name] ?? expect.fail(name)
  const row = COMMANDS.find((each) => each.name === name) ?? expect.fail(name)
  if (runner.kind === 'screen') return runner.route(readValues(values, row))
  await runner.run(perform, readValues(values, row))
  return calls[0]
}

test('every command that the page runs is one of the terminal', () => {
  const names = new Set(COMMANDS.map(({ name }) => name))

  expect(Object.keys(RUNNERS).filter((name) => !names.has(name))).toEqual([])
})

test.each<[string, CommandValues, unknown]>([
  [
    'create',
    { type: 'items', fields: `amount=5 name:='"x"'` },
    ['createObject', { path: { type: 'items' }, body: { amount: 5, name: 'x' } }],
  ],
  [
    'move',
    { type: 'items', id: 'i1', state: 'completed' },
    ['moveObject', { path: { type: 'items', id: 'i1' }, body: { to: 'completed' } }],
  ],
  [
    'play',
    { kind: 'card-payin', '--amount': '1200', '--pace': 'stepwise' },
    ['playPayment', { body: { kind: 'card-payin', pace: 'stepwise', amount: 1200 } }],
  ],
  ['next', { id: 'p1' }, ['takePaymentStep', { path: { id: 'p1' } }]],
  [
    'next-outcome',
    { kind: 'card-payin', '--clear': true },
    ['clearNextOutcome', { path: { kind: 'card-payin' } }],
  ],
  [
    'next-outcome',
    { kind: 'card-payin', outcome: 'failed' },
    ['setNextOutcome', { path: { kind: 'card-payin' }, body: { outcome: 'failed' } }],
  ],
  ['advance', { by: '25m' }, ['advanceClock', { body: { by: '25m' } }]],
  [
    'advance',
    { by: '2026-01-02T00:00:00.000Z' },
    ['advanceClock', { body: { to: '2026-01-02T00:00:00.000Z' } }],
  ],
  ['settle', { '--timeout': '500ms' }, ['settle', { body: { timeout_ms: 500 } }]],
  ['settle', { '--timeout': '5' }, ['settle', { body: { timeout_ms: 5_000 } }]],
  [
    'clock set',
    { mode: 'compressed', '--speed': '60' },
    ['setClock', { body: { mode: 'compressed', speed: 60 } }],
  ],
  [
    'readings set',
    { id: 'retry-window', option: '24h' },
    ['setReadings', { body: { 'retry-window': '24h' } }],
  ],
  ['faults remove', { id: 'f1' }, ['removeFault', { path: { id: 'f1' } }]],
  [
    'requests',
    { '--operation': 'showItem', '--type': 'items', '--limit': '5' },
    ['listRequests', { query: { operation: 'showItem', object_type: 'items', limit: 5 } }],
  ],
  ['job', { id: 'j1' }, { screen: 'jobs', path: ['j1'] }],
  [
    'faults add',
    {
      on: 'api',
      kind: 'status',
      '--match': 'operation=showItem attempt=2',
      '--times': '1',
      '--status': '503',
      '--delay': '2s',
    },
    [
      'addFault',
      {
        body: {
          on: 'api',
          kind: 'status',
          match: { operation: 'showItem', attempt: 2 },
          times: 1,
          status: 503,
          delay_ms: 2_000,
        },
      },
    ],
  ],
])('%s with %j asks for what the command asks for', async (name, values, expected) => {
  expect(await asked(name, values)).toEqual(expected)
})

test.each([
  ['items', ['name=123', 'amount=5']],
  ['items', ['custom_descriptor=null', 'description=true']],
  ['users', ['first_name=007', 'constructor=1']],
  ['batch_transactions', ['amount=5', 'reference=1e3']],
  ['nope', ['a=1']],
])('fields of %s are read as the terminal reads them: %j', async (type, pairs) => {
  const values = { type, id: 'i', fields: pairs.join(' ') }

  expect(await asked('change', values)).toEqual([
    'changeObject',
    { path: { type, id: 'i' }, body: parseFields(type, pairs) },
  ])
})

test('a fault sets text where the field is text', async () => {
  const values = { on: 'delivery', kind: 'altered-body', '--set': '/items/name=5 /items/amount=5' }
  expect(await asked('faults add', values)).toMatchObject([
    'addFault',
    { body: { set: { '/items/name': '5', '/items/amount': 5 } } },
  ])
})

test.each<[string, CommandValues, RegExp]>([
  ['create', { type: 'items', fields: 'amount=1 amount=2' }, /"amount" is given twice/],
  ['faults add', { on: 'api', kind: 'stauts' }, /Cannot add fault "stauts"/],
  ['faults add', { on: 'api', kind: 'drop', '--match': 'x' }, /write it as key=value/],
  ['create', { type: 'items', fields: 'amount' }, /write it as key=value/],
  ['change', { type: 'items', id: 'i', fields: 'a:={' }, /is not JSON/],
  ['clock set', { mode: 'fast' }, /it is real, compressed or manual/],
])('%s with %j is refused', async (name, values, words) => {
  await expect(asked(name, values)).rejects.toThrow(words)
})

test('an option that only a terminal heeds is named, so that none is passed over in silence', () => {
  const [play, advance] = [RUNNERS['play'] ?? expect.fail(), RUNNERS['advance'] ?? expect.fail()]

  expect(unheededOptions(play, { kind: 'card-payin', '--dry': true, '--amount': '5' })).toEqual(['--dry'])
  expect(unheededOptions(advance, { by: '5m' })).toEqual([])
})

test('each option that is heeded is one of its command', () => {
  const strays = COMMANDS.flatMap((row) => {
    const names = new Set(optionsOf(row).map(({ name }) => name))
    return (RUNNERS[row.name]?.options ?? []).filter((name) => !names.has(name))
  })

  expect(strays).toEqual([])
})
