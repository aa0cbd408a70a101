import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { replaceFile } from '../../../sandbox/adapters/files.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('replaceFile() overwrites the file and leaves no temporary file', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'a.xml')

  replaceFile(file, 'first')
  replaceFile(file, 'second', { mode: 0o600 })

  expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['a.xml'], 'second'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})
