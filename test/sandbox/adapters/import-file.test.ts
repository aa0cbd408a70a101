import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importFile } from '../../../sandbox/cli/config.ts'
import { temporaryFile, temporaryFolder } from '../../support/temporary-folder.ts'

test.for<readonly [string, string]>([
  ['a.ts', 'export default { answer: 42 as number }'],
  ['a.js', 'export default { answer: 42 }'],
  ['b.js', 'module.exports = { answer: 42 }'],
])('importFile() imports the file %s with the text %s from a CommonJS package', async ([file, text]) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }')
  writeFileSync(join(folder, file), text)

  expect(await importFile(join(folder, file))).toMatchObject({ default: { answer: 42 } })
})

test('importFile() reads a changed file again', async () => {
  const file = temporaryFile('a.mjs', 'export default 1')
  const before = await importFile(file)
  writeFileSync(file, 'export default 2')
  utimesSync(file, 9, 9)

  expect([before, await importFile(file)]).toMatchObject([{ default: 1 }, { default: 2 }])
})
