import { expect, test } from 'vitest'
import { listCommands } from '../../../../build/page-commands.ts'
import type { CommandRow } from '../../../../sandbox/cli/command-table.ts'
import {
  formatCommandRow,
  missingArguments,
  readQuery,
  searchRows,
} from '../../../../sandbox/dashboard/palette/command-text.ts'

const COMMANDS = await listCommands()
const command = (name: string): CommandRow => COMMANDS.find((row) => row.name === name) ?? expect.fail(name)

test('formatCommand() quotes the entered values for a shell', () => {
  const values = { kind: 'card-payin', '--outcome': 'failed', '--item': "it's mine", '--dry': true } as const

  expect(formatCommandRow(command('play'), values)).toBe(
    `npx hookbench play card-payin --outcome failed --item 'it'\\''s mine' --dry`,
  )
})

test('formatCommand() names a missing required argument', () => {
  expect(formatCommandRow(command('faults add'), { kind: 'drop' })).toBe('npx hookbench faults add <on> drop')
  expect(missingArguments(command('faults add'), { kind: 'drop', on: ' ' })).toEqual(['on'])
})

test.each([
  ['npx hookbench faults add delivery drop', 'faults add', { on: 'delivery', kind: 'drop' }],
  ['create items amount=1 name=x', 'create', { type: 'items', fields: 'amount=1 name=x' }],
  ['faults', 'faults', {}],
])('readQuery() reads "%s" as the command %s with %j', (query, name, values) => {
  expect(readQuery(query, COMMANDS)).toEqual({ row: command(name), values })
})

test('readQuery() finds no command when the query is only the start of a name', () => {
  expect(readQuery('adv', COMMANDS)).toBeUndefined()
})

test.each([
  ['adv', 'advance'],
  ['rea set', 'readings set'],
])('searchRows() with the query "%s" returns the command %s first', (query, name) => {
  const [first] = searchRows(query, COMMANDS)

  expect(first?.name).toBe(name)
})
