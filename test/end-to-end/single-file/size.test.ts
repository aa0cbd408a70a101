import { statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { OWN_NAME } from '../../../build/single-file/targets.ts'
import { ARCHIVE, IS_SINGLE_FILE, SINGLE_FILE } from '../../support/installed-package.ts'
import { listedSize } from '../../support/listed-sizes.ts'

describe.runIf(IS_SINGLE_FILE)('the single file', () => {
  test.runIf(OWN_NAME === 'linux-x64')('is as large as the page says, and so is its archive', () => {
    const megabytes = (path: string) => Math.round(statSync(path).size / 1e6)

    expect(Math.abs(megabytes(SINGLE_FILE) - listedSize('single file'))).toBeLessThanOrEqual(3)
    expect(Math.abs(megabytes(ARCHIVE) - listedSize('archive'))).toBeLessThanOrEqual(2)
  })
})
