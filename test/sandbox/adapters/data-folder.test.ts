import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  claim,
  openDataFolder,
  readRun,
  writeBenchToken,
  writeRun,
} from '../../../sandbox/adapters/data-folder.ts'

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-folder-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a data folder is made on first use and opened again', () => {
  const path = join(emptyFolder(), 'new')

  expect(openDataFolder(path)).toEqual(openDataFolder(path))
})

test('a file is not a data folder', () => {
  const path = join(emptyFolder(), 'file')
  writeFileSync(path, '')

  expect(() => openDataFolder(path)).toThrow(`Cannot use data folder "${path}": it is a file`)
})

test('a data folder of another version is rejected', () => {
  const { path } = openDataFolder(emptyFolder())
  writeFileSync(join(path, 'hookbench.json'), '{"format":99}')

  expect(() => openDataFolder(path)).toThrow(
    `Cannot use data folder "${path}": its format is 99, this version reads 1. Give another with --data`,
  )
})

test('a data folder is claimed once, until it is released', () => {
  const folder = openDataFolder(emptyFolder())
  const release = claim(folder)

  expect(() => claim(folder)).toThrow(`give another folder with --data`)
  release()
  expect(() => claim(folder)()).not.toThrow()
})

test('an idle data folder has no run', () => {
  expect(readRun(openDataFolder(emptyFolder()))).toBeUndefined()
})

test("a released folder keeps another sandbox's run", () => {
  const folder = openDataFolder(emptyFolder())
  const [service_url, bench_url] = ['http://127.0.0.1:1', 'http://127.0.0.1:2']
  const release = claim(folder)
  writeRun(folder, { service_url, bench_url })
  const own = readRun(folder)
  writeFileSync(join(folder.path, 'run.json'), JSON.stringify({ ...own, pid: 1 }))

  release()

  expect(readRun(folder)).toMatchObject({ pid: 1, service_url })
})

test('a data folder that cannot be made is rejected with the fix, and a link to a folder is accepted', () => {
  const [there, nowhere] = [join(emptyFolder(), 'link'), join(emptyFolder(), 'link')]
  symlinkSync(emptyFolder(), there)
  symlinkSync('/nowhere/at/all', nowhere)

  expect(openDataFolder(there).path).toBe(there)
  expect(() => openDataFolder(nowhere)).toThrow(
    /Cannot use data folder ".*": .*\. Make it usable, or give another/,
  )
})

test('a data folder keeps the control token until another is given', () => {
  const folder = openDataFolder(emptyFolder())
  const first = writeBenchToken(folder, undefined)

  expect(writeBenchToken(folder, undefined)).toBe(first)
  expect(writeBenchToken(folder, 'given')).toBe('given')
  expect(writeBenchToken(folder, undefined)).toBe('given')
})
