import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { replaceFile } from '../../../sandbox/adapters/files.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookbench-replace-'))
const at = (name: string) => join(folder, name)

afterAll(() => rmSync(folder, { recursive: true }))

test('replaceFile() overwrites the file and leaves no other file', () => {
  mkdirSync(at('whole'))

  replaceFile(at('whole/a.xml'), 'first')
  replaceFile(at('whole/a.xml'), 'second', { mode: 0o600 })

  expect([readdirSync(at('whole')), readFileSync(at('whole/a.xml'), 'utf8')]).toEqual([['a.xml'], 'second'])
  expect(statSync(at('whole/a.xml')).mode & 0o777).toBe(0o600)
})

test('replaceFile() leaves no partial file', () => {
  mkdirSync(at('half/a.xml'), { recursive: true })

  expect(() => replaceFile(at('half/a.xml'), 'text')).toThrow()
  expect(readdirSync(at('half'))).toEqual(['a.xml'])
})
