import { expect, test } from 'vitest'
import { withFolder } from '../../../sandbox/cli/with-folder.ts'

test.each([
  ['see "npx hookbench job j1", and more', 'see "npx hookbench job j1 --data mine", and more'],
  ['Sent (npx hookbench delivery d1)', 'Sent (npx hookbench delivery d1 --data mine)'],
  ['  npx hookbench jobs   what came', '  npx hookbench jobs --data mine   what came'],
  ['\u001B[2mnpx hookbench up\u001B[22m', '\u001B[2mnpx hookbench up --data mine\u001B[22m'],
  ['npx hookbench jobs --data other', 'npx hookbench jobs --data other'],
  ['npx hookbench generate --out x', 'npx hookbench generate --out x'],
])('withFolder() names the folder in %j', (text, named) => {
  expect(withFolder(text, 'mine')).toBe(named)
})

test('withFolder() leaves the default out, and quotes what a shell would take apart', () => {
  expect(withFolder('npx hookbench up', '.hookbench')).toBe('npx hookbench up')
  expect(withFolder('npx hookbench up', "it's mine")).toBe(String.raw`npx hookbench up --data 'it'\''s mine'`)
})
