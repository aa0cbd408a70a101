import { expect, test } from 'vitest'
import { splitRemedy } from '../../../../sandbox/dashboard/parts/remedy-parts.ts'

test.each(['npx hookbench doctor --store', 'hookbench doctor --store'])(
  'splitRemedy() finds the command "%s"',
  (command) => {
    expect(splitRemedy(`Look into it: "${command}" reads all of it`)).toEqual([
      'Look into it: ',
      command,
      ' reads all of it',
    ])
  },
)

test('splitRemedy() keeps quoted text that is not a command', () => {
  expect(splitRemedy('Set "receiver.ca"')).toEqual(['Set "receiver.ca"'])
})
