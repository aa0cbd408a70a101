import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importFile } from '../../../sandbox/adapters/import-file.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test.for<readonly [string, string]>([
  ['a.ts', 'export default { answer: 42 as number }'],
  ['a.js', 'export default { answer: 42 }'],
  ['b.js', 'module.exports = { answer: 42 }'],
])(
  'importFile() imports an ES module or CommonJS file in a CommonJS package: %s with the text %s',
  async ([file, text]) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }')
    writeFileSync(join(folder, file), text)

    expect(await importFile(join(folder, file))).toMatchObject({ default: { answer: 42 } })
  },
)
