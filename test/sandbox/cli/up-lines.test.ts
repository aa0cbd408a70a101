import { expect, test, vi } from 'vitest'
import { printError } from '../../../sandbox/cli/up-lines.ts'
import { StorageError } from '../../../sandbox/engine/state/storage-error.ts'

test('a store that cannot be used is said in one line, and a bug with its stack', () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {})
  const bug = new Error('a bug')
  printError('world "anna"', new StorageError('damaged', 'Cannot read world "anna": entry 1 is missing'))
  printError('world "anna"', bug)
  expect(print.mock.calls).toEqual([
    ['hookbench: Cannot read world "anna": entry 1 is missing'],
    ['hookbench: world "anna" failed:', bug.stack],
  ])
})
