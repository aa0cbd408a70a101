import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { packArchive, unpackArchive } from '../../build/single-file/archive.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('packArchive() creates an archive next to the folder, and unpackArchive() restores the folder', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'program'))
  writeFileSync(join(folder, 'program/a.txt'), 'a')

  const archive = packArchive(folder, 'program')
  rmSync(join(folder, 'program'), { recursive: true })
  unpackArchive(folder, 'program.tar.gz')

  expect(archive).toBe(join(folder, 'program.tar.gz'))
  expect(readFileSync(join(folder, 'program/a.txt'), 'utf8')).toBe('a')
})

test('tar receives no path that begins with a drive letter', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'tar'), '#!/bin/sh\necho "$@" >> given\n')
  chmodSync(join(folder, 'tar'), 0o755)
  vi.stubEnv('PATH', folder)
  onTestFinished(() => void vi.unstubAllEnvs())

  packArchive(folder, 'program')
  unpackArchive(folder, 'program.tar.gz')

  expect(readFileSync(join(folder, 'given'), 'utf8')).toBe(
    '-czf program.tar.gz program\n-xzf program.tar.gz\n',
  )
})
