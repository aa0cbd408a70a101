import { signal } from '@preact/signals'
import { expect, test } from 'vitest'
import type { App } from '../../../../sandbox/dashboard/state/app.ts'
import type { CommandTarget } from '../../../../sandbox/engine/core/command-line.ts'
import type { Perform } from '../../../../sandbox/compose/perform.ts'
import { listCommands } from '../../../../build/page-commands.ts'
import { createFindCommand, withValue } from '../../../../sandbox/dashboard/palette/run-command.ts'

const rows = await listCommands()

function recorder(perform: (...call: readonly unknown[]) => Promise<unknown>, target: CommandTarget = {}) {
  const calls: unknown[] = []
  const said: unknown[] = []
  const run: App['run'] = async (act, done) => {
    try {
      const reply = await act()
      said.push(done?.(reply))
      return reply
    } catch (error) {
      said.push(error)
      return undefined
    }
  }
  const asked = (async (...call: readonly unknown[]) => {
    calls.push(call)
    return perform(...call)
  }) as unknown as Perform
  return { calls, said, find: createFindCommand(rows, { perform: asked, run, target: signal(target) }) }
}

test('a palette command shows its terminal line and makes its API call', async () => {
  const { calls, said, find } = recorder(async () => ({}))
  const values = { on: 'delivery', kind: 'delay', '--delay': '2s', '--match': 'object_type=items' }
  const command = find('faults add', values)

  await command?.run('Added')

  expect(command?.line).toBe('npx hookbench faults add delivery delay --match object_type=items --delay 2s')
  expect(calls).toMatchObject([
    [
      'addFault',
      { body: { on: 'delivery', kind: 'delay', match: { object_type: 'items' }, delay_ms: 2_000 } },
    ],
  ])
  expect(said).toEqual(['Added'])
})

test('the palette reports a command that is invalid or rejected', async () => {
  const refusal = new Error('Refused')
  const { calls, said, find } = recorder(() => Promise.reject(refusal))

  await find('faults add', { on: 'delivery', kind: 'drop', '--match': 'items' })?.run()
  await find('next', { id: 'p1' })?.run()

  expect(said).toEqual([new RangeError('Cannot read match "items": write it as key=value'), refusal])
  expect(calls).toMatchObject([['takePaymentStep', { path: { id: 'p1' } }]])
})

test('the palette finds no call for an unknown command', () => {
  expect(recorder(async () => ({})).find('nothing', {})).toBeUndefined()
})

test('withValue() adds, replaces and removes a value', () => {
  const values = withValue({ kind: 'x' }, '--pace', 'instant')

  expect(withValue(values, '--pace', '10m')).toEqual({ kind: 'x', '--pace': '10m' })
  expect(withValue(values, '--pace', '')).toEqual({ kind: 'x' })
})

test('a terminal line names the data folder and the world', () => {
  const { find } = recorder(async () => ({}), { data: 'of a team', world: 'anna' })

  expect(find('next', { id: 'p1' })?.line).toBe("npx hookbench next p1 --data 'of a team' --world anna")
})
