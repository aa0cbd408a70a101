import { mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { toStorageError } from '../../../../sandbox/adapters/sqlite/storage-errors.ts'
import type { Store } from '../../../../sandbox/engine/state/store.ts'
import { openFileStore } from '../../../support/stores.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { open } from './store-files.ts'

const ENTRY = { head: { kind: 'clock', at: 1 }, body: 'x' } as const

function makeStore() {
  const folder = join(temporaryFolder(), 'data')
  mkdirSync(folder)
  return { folder, path: join(folder, 'store.sqlite') }
}

async function openStore() {
  const { folder, path } = makeStore()
  const store = openFileStore(path)
  onTestFinished(() => closeQuietly(store))
  await store.commit([ENTRY])
  return { folder, path, store }
}

/** Closes a store whose files may have been deleted. */
function closeQuietly(store: Store): void {
  try {
    store.close()
  } catch {
    // Ignores the error, which the test has already verified.
  }
}

const MEDDLERS: readonly (readonly [string, (folder: string, path: string) => void])[] = [
  ['the folder is deleted', (folder) => rmSync(folder, { recursive: true })],
  ['the folder is moved away', (folder) => renameSync(folder, `${folder}-moved`)],
  [
    'another folder replaces the folder',
    (folder, path) => {
      renameSync(folder, `${folder}-moved`)
      mkdirSync(folder)
      openFileStore(path).close()
    },
  ],
  ['the database is deleted', (_, path) => rmSync(path)],
  [
    'another database replaces the database',
    (_, path) => {
      renameSync(path, `${path}-moved`)
      writeFileSync(path, '')
    },
  ],
  ['the write-ahead log is deleted', (_, path) => rmSync(`${path}-wal`)],
]

/** Tries every way to change a store. Returns the kind of each error. */
async function refusalsOf(store: Store): Promise<readonly unknown[]> {
  const staged = async () => {
    const world = store.stage()
    world.add([ENTRY])
    await world.publish(() => {})
  }
  const kinds = []
  for (const change of [() => store.commit([ENTRY]), () => store.commit([ENTRY], 'process'), staged])
    kinds.push(
      await change().then(
        () => 'accepted',
        (error: unknown) => Reflect.get(Object(error), 'kind'),
      ),
    )
  store.recover()
  return [...kinds, store.problem?.kind]
}

test('a store rejects changes when the path to its folder is broken', async () => {
  const { folder, store } = await openStore()
  renameSync(folder, `${folder}-moved`)
  symlinkSync(folder, folder)

  expect(await refusalsOf(store)).toEqual(['failed', 'failed', 'failed', 'failed'])
  expect([...store.entries()]).toEqual([ENTRY])
})

test.each(MEDDLERS)('a store rejects changes when %s', async (_, meddle) => {
  const { folder, path, store } = await openStore()
  meddle(folder, path)

  expect(await refusalsOf(store)).toEqual(['gone', 'gone', 'gone', 'gone'])
  expect([...store.entries()]).toEqual([ENTRY])
})

test('a store names its folder when the folder was moved', async () => {
  const { folder, store } = await openStore()
  renameSync(folder, `${folder}-moved`)

  await expect(store.commit([ENTRY])).rejects.toThrow('its folder was deleted or moved')
})

test.each(MEDDLERS)('a store rejects a staged world when %s', async (_, meddle) => {
  const { folder, path, store } = await openStore()
  meddle(folder, path)

  expect(() => store.stage()).toThrow(expect.objectContaining({ name: 'StorageError', kind: 'gone' }))
  expect(store.problem?.kind).toBe('gone')
})

test('a store rejects a staged world when its log is deleted during staging', async () => {
  const { path, store } = await openStore()
  const staged = store.stage()
  staged.add([ENTRY, ENTRY])
  rmSync(`${path}-wal`)

  await expect(staged.publish(() => {})).rejects.toMatchObject({ name: 'StorageError', kind: 'gone' })

  expect([[...store.entries()], store.problem?.kind]).toEqual([[ENTRY], 'gone'])
})

test('the write-ahead log of a deleted store is not applied to a new store', async () => {
  const { path } = makeStore()
  const old = openFileStore(path)
  await old.commit([ENTRY])
  const left = readFileSync(`${path}-wal`)
  old.close()
  for (const file of [path, `${path}.head`]) rmSync(file)
  writeFileSync(`${path}-wal`, left)

  openFileStore(path).close()

  expect(open(path).length).toBe(0)
})

test('only the owner can read a store and its files', async () => {
  const { path } = await openStore()

  expect([path, `${path}-wal`, `${path}.head`].map((file) => statSync(file).mode & 0o777)).toEqual([
    0o600, 0o600, 0o600,
  ])
})

test('a store is rejected when another program uses the file', () => {
  const { path } = makeStore()
  openFileStore(path).close()
  const other = new DatabaseSync(path)
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')

  expect(() => openFileStore(path)).toThrow(expect.objectContaining({ kind: 'unusable' }))
  other.close()
})

test.each([
  [{ errcode: 13 }, 'full'],
  [{ code: 'ENOSPC', syscall: 'fdatasync' }, 'full'],
  [{ code: 'EDQUOT', syscall: 'fdatasync' }, 'full'],
  [{ code: 'EIO', syscall: 'fdatasync' }, 'failed'],
  [{ errcode: 1_034 }, 'failed'],
  [{ errcode: 778 }, 'failed'],
  [{ errcode: 1 }, 'damaged'],
  [{ errcode: 11 }, 'damaged'],
  [{ errcode: 26 }, 'damaged'],
  [{ errcode: 1_032 }, 'gone'],
  [{ errcode: 8 }, 'unusable'],
  [{ errcode: 14 }, 'unusable'],
])('toStorageError() maps %o to "%s"', (fields, kind) => {
  const { path } = makeStore()
  const error = Object.assign(new Error('It failed'), fields)

  expect(toStorageError(path, error)).toMatchObject({ name: 'StorageError', kind, cause: error })
})

test('toStorageError() returns a bug unchanged', () => {
  const bug = new TypeError('x is not a function')

  expect(toStorageError('/x', bug)).toBe(bug)
})
