import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseOutputs } from '../../../contracts/cli/outputs.ts'
import { buildRun, REPORT_OPTIONS } from '../support/run-results.ts'
import { UsageError } from '../../../sandbox/internal.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookbench-outputs-'))
const at = (name: string) => join(folder, name)

afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  [{ junit: '-', json: true }, 'Cannot print both --junit and --json'],
  [{ junit: '-', html: '-' }, 'Cannot print both --junit and --html'],
  [{ junit: at('a'), html: at('./a') }, 'another report uses this file'],
  [{ junit: at('none/a') }, 'does not exist, or you cannot write to it'],
  [{ junit: folder }, 'the path is a folder'],
  [{ junit: '' }, 'the value must be a file, or - for the standard output'],
])('parseOutputs() rejects an invalid, unwritable or duplicate output path', (flags, message) => {
  expect(() => parseOutputs(flags)).toThrow(UsageError)
  expect(() => parseOutputs(flags)).toThrow(message)
})

test('a new summary deletes the remainder file of an earlier summary', () => {
  const [output] = parseOutputs({ markdown: at('summary.md') })

  expect(output?.report(buildRun(), REPORT_OPTIONS, at('summary.md'))).toContainEqual({
    file: at('summary.rest.md'),
    text: undefined,
  })
})
