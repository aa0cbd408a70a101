import { expect, test } from 'vitest'
import { commandLine, formatRemedy } from '../../../../sandbox/engine/core/command-line.ts'

test('commandLine() names the data folder unless it is the default, and quotes what a shell would take apart', () => {
  expect(commandLine('jobs')).toBe('npx hookbench jobs')
  expect(commandLine('jobs', '.hookbench')).toBe('npx hookbench jobs')
  expect(commandLine('job j1', 'mine')).toBe('npx hookbench job j1 --data mine')
  expect(commandLine('up', "it's mine")).toBe(String.raw`npx hookbench up --data 'it'\''s mine'`)
})

test('commandLine() names the world that was chosen, but for what has nothing to do with one', () => {
  expect(commandLine('jobs', { world: 'anna' })).toBe('npx hookbench jobs --world anna')
  expect(commandLine('job j1', { data: 'mine', world: 'default' })).toBe(
    'npx hookbench job j1 --data mine --world default',
  )
  expect(commandLine('up', { data: 'mine', world: 'anna' })).toBe('npx hookbench up --data mine')
  expect(commandLine('worlds add ben', { world: 'anna' })).toBe('npx hookbench worlds add ben')
  expect(commandLine('cert localhost', { world: 'anna' })).toBe('npx hookbench cert localhost')
})

test('formatRemedy() ends with the command, if there is one', () => {
  expect(formatRemedy({ hint: 'list them', command: 'jobs' }, 'mine')).toBe(
    'list them with "npx hookbench jobs --data mine"',
  )
  expect(formatRemedy({ hint: 'leave it out' }, 'mine')).toBe('leave it out')
})
