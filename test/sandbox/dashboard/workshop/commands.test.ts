import { expect, test } from 'vitest'
import type { Perform } from '../../../../sandbox/compose/perform.ts'
import { listCommands } from '../../../../sandbox/dashboard/build/command-list.ts'
import { createFindCommand, withValue } from '../../../../sandbox/dashboard/workshop/commands.ts'

const find = createFindCommand(await listCommands())

test('a command is a line for a terminal and the call that it makes', async () => {
  const calls: unknown[] = []
  const perform = (async (...call: readonly unknown[]) => calls.push(call)) as unknown as Perform
  const command = find('faults add', {
    on: 'delivery',
    kind: 'delay',
    '--delay': '2s',
    '--match': 'object_type=items',
  })

  await command?.run(perform)

  expect(command?.line).toBe('npx hookbench faults add delivery delay --match object_type=items --delay 2s')
  expect(calls).toEqual([
    [
      'addFault',
      { body: { on: 'delivery', kind: 'delay', match: { object_type: 'items' }, delay_ms: 2_000 } },
    ],
  ])
})

test('a command that there is not is none of the page', () => {
  expect(find('nothing', {})).toBeUndefined()
})

test('a value is put in, replaced and taken out', () => {
  const values = withValue({ kind: 'x' }, '--pace', 'instant')

  expect(withValue(values, '--pace', '10m')).toEqual({ kind: 'x', '--pace': '10m' })
  expect(withValue(values, '--pace', '')).toEqual({ kind: 'x' })
})
