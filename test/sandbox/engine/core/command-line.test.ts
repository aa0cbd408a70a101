import { expect, test } from 'vitest'
import { commandLine, formatRemedy } from '../../../../sandbox/engine/core/command-line.ts'

test('commandLine() names the data folder unless it is the default, and quotes what a shell would take apart', () => {
  expect(commandLine('jobs')).toBe('npx hookbench jobs')
  expect(commandLine('jobs', '.hookbench')).toBe('npx hookbench jobs')
  expect(commandLine('job j1', 'mine')).toBe('npx hookbench job j1 --data mine')
  expect(commandLine('up', "it's mine")).toBe(String.raw`npx hookbench up --data 'it'\''s mine'`)
})

test('formatRemedy() ends with the command, if there is one', () => {
  expect(formatRemedy({ hint: 'list them', command: 'jobs' }, 'mine')).toBe(
    'list them with "npx hookbench jobs --data mine"',
  )
  expect(formatRemedy({ hint: 'leave it out' }, 'mine')).toBe('leave it out')
})
