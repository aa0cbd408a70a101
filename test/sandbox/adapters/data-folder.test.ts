import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  claim,
  openDataFolder,
  readRun,
  writeBenchToken,
  writeRun,
} from '../../../sandbox/adapters/data-folder.ts'
import { temporaryFile, temporaryFolder } from '../../support/temporary-folder.ts'

test('openDataFolder() rejects a file', () => {
  const path = temporaryFile('file', '')

  expect(() => openDataFolder(path)).toThrow(`Cannot use data folder "${path}": the path is a file`)
})

test('openDataFolder() rejects a data folder of another version', () => {
  const { path } = openDataFolder(temporaryFolder())
  writeFileSync(join(path, 'hookbench.json'), '{"format":99}')

  expect(() => openDataFolder(path)).toThrow(
    `Cannot use data folder "${path}": the folder has format 99, but this version reads only 1. Give another folder with --data`,
  )
})

test('a data folder cannot be claimed again until the claim is released', () => {
  const folder = openDataFolder(temporaryFolder())
  expect(readRun(folder)).toBeUndefined()
  const release = claim(folder)

  expect(() => claim(folder)).toThrow(`give another folder with --data`)
  release()
  expect(() => claim(folder)()).not.toThrow()
})

test('the release of a data folder keeps run.json when another sandbox wrote the file', () => {
  const folder = openDataFolder(temporaryFolder())
  const [service_url, bench_url] = ['http://127.0.0.1:1', 'http://127.0.0.1:2']
  const release = claim(folder)
  writeRun(folder, { service_url, bench_url })
  const own = readRun(folder)
  writeFileSync(join(folder.path, 'run.json'), JSON.stringify({ ...own, pid: 1 }))

  release()

  expect(readRun(folder)).toMatchObject({ pid: 1, service_url })
})

test('openDataFolder() accepts a link to a folder and rejects a broken link', () => {
  const [there, nowhere] = [join(temporaryFolder(), 'link'), join(temporaryFolder(), 'link')]
  symlinkSync(temporaryFolder(), there)
  symlinkSync('/nowhere/at/all', nowhere)

  expect(openDataFolder(there).path).toBe(there)
  expect(() => openDataFolder(nowhere)).toThrow(
    /Cannot use data folder ".*": .*\. Fix this problem, or give another/,
  )
})

test('a data folder keeps its control token until the user sets another token', () => {
  const folder = openDataFolder(temporaryFolder())
  const first = writeBenchToken(folder, undefined)

  expect(writeBenchToken(folder, undefined)).toBe(first)
  expect(writeBenchToken(folder, 'given')).toBe('given')
  expect(writeBenchToken(folder, undefined)).toBe('given')
})
