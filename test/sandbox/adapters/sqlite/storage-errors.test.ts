import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteLog } from '../../../../sandbox/adapters/sqlite/sqlite-log.ts'
import { toStorageError } from '../../../../sandbox/adapters/sqlite/storage-errors.ts'
import type { Log } from '../../../../sandbox/engine/state/log.ts'

const ENTRY = { head: { kind: 'clock', at: 1 }, body: 'x' } as const

/** A store in a folder of its own. */
function makeStore() {
  const root = mkdtempSync(join(tmpdir(), 'hookbench-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'data')
  mkdirSync(folder)
  return { folder, path: join(folder, 'store.sqlite') }
}

function openStore() {
  const { folder, path } = makeStore()
  const log = openSqliteLog(path)
  onTestFinished(() => log.close())
  log.append([ENTRY])
  return { folder, path, log }
}

const MEDDLERS: readonly (readonly [string, (folder: string, path: string) => void])[] = [
  ['the folder is deleted', (folder) => rmSync(folder, { recursive: true })],
  ['the folder is moved away', (folder) => renameSync(folder, `${folder}-moved`)],
  [
    'the folder is replaced by another',
    (folder, path) => {
      renameSync(folder, `${folder}-moved`)
      mkdirSync(folder)
      openSqliteLog(path).close()
    },
  ],
  ['the database is deleted', (_, path) => rmSync(path)],
  [
    'the database is replaced by another',
    (_, path) => {
      renameSync(path, `${path}-moved`)
      writeFileSync(path, '')
    },
  ],
  ['what was written last is deleted', (_, path) => rmSync(`${path}-wal`)],
]

test('when the path to its folder cannot be followed any more, a log takes nothing and says so', () => {
  const { folder, log } = openStore()
  renameSync(folder, `${folder}-moved`)
  symlinkSync(folder, folder)

  expect([() => log.append([ENTRY]), () => log.stage?.(), () => log.recover?.()].map(kindOf)).toEqual([
    'failed',
    'failed',
    'failed',
  ])
})

test('what was written last to a store that was moved away is nothing of the one made in its place', () => {
  const { path } = makeStore()
  const old = openSqliteLog(path)
  old.append([ENTRY])
  const left = readFileSync(`${path}-wal`)
  old.close()
  rmSync(path)
  writeFileSync(`${path}-wal`, left)

  openSqliteLog(path).close()
  const log = openSqliteLog(path)
  onTestFinished(() => log.close())

  expect(log.length).toBe(0)
})

test.each(MEDDLERS)('when %s, a log takes nothing more and says so', (_, meddle) => {
  const { folder, path, log } = openStore()
  meddle(folder, path)

  const append = () => log.append([ENTRY])

  expect(append).toThrow(expect.objectContaining({ name: 'StorageError', kind: 'gone' }))
  expect([log.length, () => log.recover?.()]).toEqual([
    1,
    expect.toSatisfy((recover: () => void) => kindOf(recover) === 'gone'),
  ])
})

function kindOf(run: () => void): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    return Reflect.get(Object(error), 'kind')
  }
}

test('a store is for its owner only, with what is written last beside it', () => {
  const { path } = openStore()

  expect([path, `${path}-wal`].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600])
})

test('a store that another program has is not to be used', () => {
  const { path } = makeStore()
  openSqliteLog(path).close()
  const other = new DatabaseSync(path)
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  const open = (): Log => openSqliteLog(path)

  expect(kindOf(open)).toBe('unusable')
  other.close()
})

test.each([
  [{ errcode: 13 }, 'full'],
  [{ code: 'ENOSPC', syscall: 'fdatasync' }, 'full'],
  [{ code: 'EDQUOT', syscall: 'fdatasync' }, 'full'],
  [{ code: 'EIO', syscall: 'fdatasync' }, 'failed'],
  [{ errcode: 1_034 }, 'failed'],
  [{ errcode: 778 }, 'failed'],
  [{ errcode: 11 }, 'damaged'],
  [{ errcode: 26 }, 'damaged'],
  [{ errcode: 1_032 }, 'gone'],
  [{ errcode: 8 }, 'unusable'],
  [{ errcode: 14 }, 'unusable'],
])('%o of the disk is "%s"', (fields, kind) => {
  const { path } = makeStore()
  const error = Object.assign(new Error('It failed'), fields)

  expect(toStorageError(path, error)).toMatchObject({ name: 'StorageError', kind, cause: error })
})

test('a bug is no fault of the disk', () => {
  const bug = new TypeError('x is not a function')

  expect(toStorageError('/x', bug)).toBe(bug)
})
