import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { outputsOf, writeWhole } from '../../../contracts/cli/outputs.ts'
import { UsageError } from '../../../sandbox/internal.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookbench-outputs-'))
const at = (name: string) => join(folder, name)

afterAll(() => rmSync(folder, { recursive: true }))

test('outputsOf() knows each report and where it goes', () => {
  const outputs = outputsOf({ junit: at('a.xml'), html: at('a.html'), markdown: at('a.md'), reportJson: '-' })

  expect(outputs.map(({ flag, file }) => [flag, file])).toEqual([
    ['--junit', at('a.xml')],
    ['--html', at('a.html')],
    ['--markdown', at('a.md')],
    ['--report-json', '-'],
  ])
})

test.each([
  [{ junit: '-', json: true }, 'Cannot print --junit and --json both'],
  [{ junit: '-', html: '-' }, 'Cannot print --junit and --html both'],
  [{ junit: at('a'), html: at('./a') }, 'another report goes there'],
  [{ junit: at('none/a') }, 'is not there, or not yours'],
  [{ junit: folder }, 'it is a folder'],
  [{ junit: '' }, 'it takes a file, or - for the standard output'],
])('outputsOf() refuses what could not be written at the end', (flags, message) => {
  expect(() => outputsOf(flags)).toThrow(UsageError)
  expect(() => outputsOf(flags)).toThrow(message)
})

test('writeWhole() writes over what was there, and leaves nothing beside it', () => {
  mkdirSync(at('whole'))

  writeWhole(at('whole/a.xml'), 'first')
  writeWhole(at('whole/a.xml'), 'second')

  expect([readdirSync(at('whole')), readFileSync(at('whole/a.xml'), 'utf8')]).toEqual([['a.xml'], 'second'])
})

test('writeWhole() leaves nothing half written', () => {
  mkdirSync(at('half/a.xml'), { recursive: true })

  expect(() => writeWhole(at('half/a.xml'), 'text')).toThrow()
  expect(readdirSync(at('half'))).toEqual(['a.xml'])
})
