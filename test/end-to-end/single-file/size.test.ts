import { statSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { OWN_NAME } from '../../../build/single-file/targets.ts'
import { ARCHIVE, IS_SINGLE_FILE, SINGLE_FILE } from '../../support/installed-package.ts'

/** Reads a size in MB from docs/install.md. `subject` is the start of the table row. */
function listedSize(subject: string): number {
  const page = readFileSync(new URL('../../../docs/install.md', import.meta.url), 'utf8')
  const row = page.split('\n').find((line) => line.toLowerCase().startsWith(`| the ${subject}`))
  const size = /\| *(?<megabytes>\d+) MB/.exec(row ?? '')?.groups?.['megabytes']
  if (size === undefined) throw new Error(`docs/install.md says no size of "the ${subject}"`)
  return Number(size)
}

describe.runIf(IS_SINGLE_FILE)('the single file', () => {
  test.runIf(OWN_NAME === 'linux-x64')('the single file and its archive have the documented size', () => {
    const megabytes = (path: string) => Math.round(statSync(path).size / 1e6)

    expect(Math.abs(megabytes(SINGLE_FILE) - listedSize('single file'))).toBeLessThanOrEqual(3)
    expect(Math.abs(megabytes(ARCHIVE) - listedSize('archive'))).toBeLessThanOrEqual(2)
  })
})
