import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { UNLISTED_DEFECTS } from '../../receivers/unlisted-defects/defects.ts'
import { writeDefectiveStarter } from '../../receivers/unlisted-defects/write-starter.ts'

test('each unlisted defect changes the starter into a program that parses', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-unlisted-'))
  const broken = UNLISTED_DEFECTS.flatMap((defect) => {
    const files = dirname(writeDefectiveStarter(defect, folder))
    try {
      execFileSync(process.execPath, ['--check', join(files, 'main.mjs')], { stdio: 'pipe' })
      execFileSync(process.execPath, ['--check', join(files, 'service.mjs')], { stdio: 'pipe' })
      execFileSync(process.execPath, ['--check', join(files, 'store.mjs')], { stdio: 'pipe' })
      return []
    } catch (error) {
      return [`${defect.name}: ${String(error)}`]
    }
  })
  rmSync(folder, { recursive: true })

  expect(broken).toEqual([])
})

test('unlisted defects have names of their own', () => {
  expect(new Set(UNLISTED_DEFECTS.map(({ name }) => name)).size).toBe(UNLISTED_DEFECTS.length)
})
