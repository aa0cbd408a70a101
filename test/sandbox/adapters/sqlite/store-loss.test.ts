import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { acceptLoss, isUnguarded } from '../../../../sandbox/adapters/sqlite/verify-store.ts'
import { readHeadFile } from '../../../../sandbox/adapters/sqlite/head-file.ts'
import { verifyStore } from '../../../../sandbox/adapters/sqlite/verify-store.ts'
import type { StoreHead } from '../../../../sandbox/engine/state/disk.ts'
import { hasHead, putHead } from '../../../../sandbox/engine/state/queries/heads.ts'
import { createReplay } from '../../../../sandbox/engine/state/replay.ts'
import type { Store } from '../../../../sandbox/engine/state/store.ts'
import { openFileStore, turnBit } from '../../../support/stores.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { files, item, items, makeClosedStore, newPath, open } from './store-files.ts'

const LONG = { description: 'x'.repeat(500) }

async function commit(store: Store, from: number, count: number): Promise<void> {
  for (let index = from; index < from + count; index++) await store.commit([item(index, LONG)])
}

/** Creates the files of a killed process with 60 acknowledged entries. */
async function makeKilled(count = 60): Promise<string> {
  const folder = temporaryFolder()
  const path = join(folder, 'store.sqlite')
  await commit(open(path), 1, count)
  const left = temporaryFolder()
  cpSync(folder, left, { recursive: true })
  return join(left, 'store.sqlite')
}

const makeClosed = () => makeClosedStore(items(1_200, LONG))

const LOSSES: readonly (readonly [string, () => Promise<string>, (path: string) => void, string])[] = [
  ['a bit of the "-wal" header is flipped', makeKilled, (path) => turnBit(`${path}-wal`, 9), '60 entries were written and synced, but only 0 remain'],
  ['the "-wal" file is deleted', makeKilled, (path) => rmSync(`${path}-wal`), '60 entries were written and synced, but only 0 remain'],
  ['the "-wal" file is emptied', makeKilled, (path) => truncateSync(`${path}-wal`), '60 entries were written and synced, but only 0 remain'],
  ['the last commit in the "-wal" file is cut', makeKilled, (path) => truncateSync(`${path}-wal`, readFileSync(`${path}-wal`).length - 5_000), '60 entries were written and synced, but only 59 remain'],
  ['the store file is deleted', makeClosed, (path) => rmSync(path), '1200 entries were written and synced, but only 0 remain'],
  ['the store file is emptied', makeClosed, (path) => truncateSync(path), '1200 entries were written and synced, but only 0 remain'],
  ['an older copy replaces the "-wal" file', makeOlderCopy, () => {}, '120 entries were written and synced, but only 60 remain'],
  ['another store replaces the store', makeOtherStore, () => {}, 'the first 60 entries differ from the entries that were written and synced'],
] // prettier-ignore

async function makeOlderCopy(): Promise<string> {
  const path = await makeKilled()
  const older = readFileSync(`${path}-wal`)
  await commit(open(path), 61, 60)
  const left = temporaryFolder()
  cpSync(dirname(path), left, { recursive: true })
  writeFileSync(join(left, 'store.sqlite-wal'), older)
  return join(left, 'store.sqlite')
}

/** Combines the head file of one store with the files of a longer store, whose seventh entry differs. */
async function makeOtherStore(): Promise<string> {
  const [path, other] = [await makeKilled(), newPath()]
  const store = openFileStore(other)
  await commit(store, 1, 6)
  await store.commit([{ ...item(7, LONG), body: '{}' }])
  await commit(store, 8, 100)
  store.close()
  rmSync(`${path}-wal`)
  cpSync(other, path)
  return path
}

test.each(LOSSES)('a store opens after its loss is accepted when %s', async (...[, make, lose, loss]) => {
  const path = await make()
  lose(path)
  const before = files(path)

  expect(() => openFileStore(path)).toThrow(
    `Cannot open store "${path}": ${loss}. Restore the files of the store from a copy`,
  )
  expect(verifyStore(path)).toMatchObject({ loss })
  expect(files(path)).toEqual(before)

  expect(acceptLoss(path)).toBe(loss)
  const store = openFileStore(path)
  const { length } = store
  await commit(store, 5_000, 1)
  store.close()
  expect(open(path).length).toBe(length + 1)
})

test('a store opens when a killed process did not update the head file for the last sync', async () => {
  const path = await makeKilled()
  const older = readFileSync(`${path}.head`)
  const store = openFileStore(path)
  await commit(store, 61, 60)
  store.close()
  writeFileSync(`${path}.head`, older)

  expect(open(path).length).toBe(120)
})

test.each([0, 4_096])(
  'a store keeps its loss protection when the slot at byte %i of its head file is incomplete',
  async (offset) => {
    const path = await makeKilled()
    writeFileSync(`${path}.head`, readFileSync(`${path}.head`).fill(0, offset, offset + 100))

    expect(isUnguarded(path)).toBe(false)
    expect(open(path).length).toBe(60)
  },
)

test.each(['removed', 'damaged'])('a store has no loss protection when its head file is %s', async (what) => {
  const path = await makeKilled()
  if (what === 'removed') rmSync(`${path}.head`)
  else writeFileSync(`${path}.head`, 'x'.repeat(5_000))
  const before = isUnguarded(path)
  openFileStore(path).close()

  expect([before, isUnguarded(path)]).toEqual([true, false])
})

test.each([
  ['reset', []],
  ['restored', [item(7, LONG), item(8, LONG)]],
])(
  'a store opens with the new entries when its process was killed while the store was %s',
  async (_, entries) => {
    const path = await makeKilled()
    const store = open(path)
    const left = temporaryFolder()
    const staged = store.stage()
    staged.add(entries)

    await staged.publish(() => cpSync(dirname(path), left, { recursive: true }))

    expect(readHeadFile(join(left, 'store.sqlite'))?.length).toBe(60)
    expect(open(join(left, 'store.sqlite')).length).toBe(entries.length)
  },
)

test('a store opens with the old entries when its process was killed before the replacement', async () => {
  const path = await makeKilled()
  const [kept, copy] = [temporaryFolder(), newPath()]
  const store = open(path)
  cpSync(dirname(path), kept, { recursive: true })
  const staged = store.stage()
  let announced = Buffer.of()
  await staged.publish(() => (announced = readFileSync(`${path}.head`)))
  cpSync(kept, dirname(copy), { recursive: true })
  writeFileSync(`${copy}.head`, announced)

  expect(open(copy).length).toBe(60)
})

const CUTS = ['store.sqlite', 'store.sqlite-wal'] as const

test.each(CUTS)(
  'a store rejects changes when its file %s is truncated while the store is open',
  async (name) => {
    const path = newPath()
    const store = open(path)
    await commit(store, 1, 10)
    truncateSync(join(dirname(path), name), name.endsWith('-wal') ? 20_000 : 4_096)

    await expect(store.commit([item(11, LONG)])).rejects.toThrow('was cut short while the sandbox ran')
    await expect(store.commit([item(12, LONG)])).rejects.toThrow('was cut short while the sandbox ran')
  },
)

test('a store does not acknowledge an entry when its file is truncated during the sync', async () => {
  const path = newPath()
  const store = open(path)
  await commit(store, 1, 10)
  const committed = store.commit([item(11, LONG)])
  store.writeNow()
  truncateSync(`${path}-wal`, readFileSync(`${path}-wal`).length - 1)

  await expect(committed).rejects.toThrow('was cut short while the sandbox ran')
})

test('putHead() removes heads that are too old to compare', () => {
  const { sql } = createReplay('')
  const heads = [1, 65_537, 65_538, 131_072].map((length) => ({ length, sum: length }))
  heads.forEach((head, index) => putHead(sql, head, heads[index - 1] ?? { length: 0, sum: 0 }))

  expect(sql.all<StoreHead>('SELECT length, sum FROM heads ORDER BY length')).toEqual(heads.slice(1))
  expect(heads.map((head) => hasHead(sql, head))).toEqual([true, true, true, true])
  expect(hasHead(sql, { length: 65_538, sum: 1 })).toBe(false)
})
