import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { claim, openDataFolder, readRun } from '../../../sandbox/adapters/data-folder.ts'

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-folder-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a data folder is made on first use, and opened again', () => {
  const path = join(emptyFolder(), 'new')

  expect(openDataFolder(path)).toEqual(openDataFolder(path))
})

test('a file is no data folder', () => {
  const path = join(emptyFolder(), 'file')
  writeFileSync(path, '')

  expect(() => openDataFolder(path)).toThrow(`Cannot use data folder "${path}": it is a file`)
})

test('the data folder of another version is refused, saying so', () => {
  const { path } = openDataFolder(emptyFolder())
  writeFileSync(join(path, 'hookbench.json'), '{"format":99}')

  expect(() => openDataFolder(path)).toThrow(
    `Cannot use data folder "${path}": its format is 99, this version reads 1; give another with --data`,
  )
})

test('a data folder is claimed once, until it is released', () => {
  const folder = openDataFolder(emptyFolder())
  const release = claim(folder)

  expect(() => claim(folder)).toThrow(`give another folder with --data`)
  release()
  expect(() => claim(folder)()).not.toThrow()
})

test('a data folder in which nothing runs has no run', () => {
  expect(readRun(openDataFolder(emptyFolder()))).toBeUndefined()
})
