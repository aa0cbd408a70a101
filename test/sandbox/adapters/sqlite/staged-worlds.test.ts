import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { verifyStore } from '../../../../sandbox/adapters/sqlite/verify-store.ts'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import { openFileStore } from '../../../support/stores.ts'
import { item, items, newPath, open } from './store-files.ts'

test('a store keeps its entries after a failed write of a staged world', async () => {
  const path = newPath()
  const store = openFileStore(path)
  await store.commit([item(1), item(2)])
  const bad = { head: { ...item(4).head, revision: 4n }, body: '' } as unknown as Entry

  const staged = store.stage()
  expect(() => staged.add([item(3), bad])).toThrow('BigInt')
  staged.discard()
  await store.commit([item(5)])
  store.close()

  expect([...open(path).entries()]).toEqual([item(1), item(2), item(5)])
})

test('a store has the entries of a staged world after the staged world is published', async () => {
  const path = newPath()
  const store = openFileStore(path)
  await store.commit(items(3))
  const staged = store.stage()
  staged.add([item(11), item(12)])
  await staged.prepare()
  await staged.publish(() => {})
  await store.commit([item(13)])
  store.close()

  const again = open(path)
  expect([...again.entries()]).toEqual([item(11), item(12), item(13)])
  expect(again.objectIds('items')).toEqual(['i11', 'i12', 'i13'])
})

test('a store keeps its entries when a staged world is discarded or never published', async () => {
  const path = newPath()
  const store = openFileStore(path)
  await store.commit([item(1)])
  const discarded = store.stage()
  for (const staged of [discarded, store.stage()]) {
    staged.add([item(11), item(12)])
    await staged.prepare()
  }
  discarded.discard()
  await store.commit([item(2)])
  store.close()

  expect(verifyStore(path)).toEqual({ entries: 2, problems: [], loss: undefined })
  const again = open(path)
  expect([...again.entries()]).toEqual([item(1), item(2)])
  expect(again.objectIds('items')).toEqual(['i1', 'i2'])
})

test('the next start removes leftover rows of a staged world', async () => {
  const path = newPath()
  const store = openFileStore(path)
  store.stage().add(items(300))
  store.close()
  const countRows = () => {
    const database = new DatabaseSync(path, { readOnly: true })
    const count = `SELECT (SELECT count(*) FROM history) + (SELECT count(*) FROM objects) + (SELECT count(*) FROM worlds) AS rows`
    const rows = Number(database.prepare(count).get()?.['rows'])
    database.close()
    return rows
  }

  const before = countRows()
  await expect
    .poll(async () => {
      const next = openFileStore(path)
      await next.commit([])
      next.close()
      return countRows()
    })
    .toBe(1)
  expect(before).toBe(602)
})
