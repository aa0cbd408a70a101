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

test('splitRemedy() leaves what is quoted and no command', () => {
  expect(splitRemedy('Set "receiver.ca"')).toEqual(['Set "receiver.ca"'])
})
