import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { UsageError } from '../../../sandbox/cli/failure.ts'
import { writeWhole } from '../../../sandbox/cli/snapshot-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookbench-snapshot-'))

afterAll(() => rmSync(folder, { recursive: true }))

test('writeWhole() replaces a file by one for its owner only', () => {
  const file = join(folder, 'world.json')
  writeFileSync(file, 'before', { mode: 0o644 })

  writeWhole(file, 'after')

  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['after', 0o600])
})

test('writeWhole() leaves nothing behind where it cannot write', () => {
  const taken = join(folder, 'taken')
  mkdirSync(taken)
  const before = readdirSync(folder)

  for (const file of [taken, join(folder, 'nowhere/world.json')]) {
    expect(() => writeWhole(file, 'x')).toThrow(UsageError)
    expect(() => writeWhole(file, 'x')).toThrow(`Cannot write "${file}"`)
  }
  expect(readdirSync(folder)).toEqual(before)
})
