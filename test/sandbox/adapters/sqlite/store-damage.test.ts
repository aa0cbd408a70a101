import { expect, test } from 'vitest'
import { acceptLoss } from '../../../../sandbox/adapters/sqlite/verify-store.ts'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import { ENTRIES_OF_EACH_TABLE } from '../../../support/entries-of-each-table.ts'
import { openFileStore } from '../../../support/stores.ts'
import { files, items, makeClosedStore, open, withDatabase } from './store-files.ts'

async function makeStore(entries: readonly Entry[], change: string): Promise<string> {
  const path = await makeClosedStore(entries)
  withDatabase(path, `PRAGMA journal_mode = DELETE; ${change}`)
  return path
}

test.each([
  ['the first entry is missing', 'DELETE FROM history WHERE position = 1', 'entry 1 is missing'],
  ['an entry is missing', 'DELETE FROM history WHERE position = 8', 'entry 8 is missing'],
  ['the last entry is missing', 'DELETE FROM history WHERE position = 25', 'it has 24 entries of 25'],
  ['the last entries are missing', 'DELETE FROM history WHERE position > 12', 'it has 12 entries of 25'],
  [
    'two entries were swapped',
    'UPDATE history SET position = 99 WHERE position = 3; UPDATE history SET position = 3 WHERE position = 4; UPDATE history SET position = 4 WHERE position = 99',
    'entry 3 is damaged',
  ],
  [
    'an entry was moved to the end',
    'UPDATE history SET position = 26 WHERE position = 8',
    'it has 26 entries of 25',
  ],
  [
    'the head of an entry was changed',
    `UPDATE history SET head = replace(head, 'i1', 'i2') WHERE position = 2`,
    'entry 2 is damaged',
  ],
  ['the last job is missing', `DELETE FROM jobs WHERE id = 'j3'`, 'a job is missing'],
  ['the world is missing', 'DELETE FROM worlds', 'world number 1 is missing'],
  [
    'the world is marked as a draft, which the next start would delete',
    'UPDATE worlds SET name = NULL',
    'the row of world number 1 is damaged',
  ],
  ['the world has another number', 'UPDATE worlds SET number = 2', 'the row of world number 2 is damaged'],
  [
    'the length of the world was changed',
    `UPDATE worlds SET state = json_set(state, '$.length', 23)`,
    'the row of world number 1 is damaged',
  ],
  [
    'the state of the world is no JSON',
    `UPDATE worlds SET state = ''`,
    'the row of world number 1 is damaged',
  ],
  ['the states of the store are missing', 'DELETE FROM heads', 'its worlds have 25 entries, and it states 0'],
])('openFileStore() rejects and does not change a store when %s', async (_, change, detail) => {
  const path = await makeStore(ENTRIES_OF_EACH_TABLE, change)
  const before = files(path)

  expect(() => openFileStore(path)).toThrow(
    `Cannot read store "${path}": ${detail}. Move this file, "store.sqlite-wal" and "store.sqlite.head" away, or use another --data folder`,
  )
  // A store with contradictory data cannot be repaired.
  expect(() => acceptLoss(path)).toThrow(detail)

  expect(files(path)).toEqual(before)
})

const MANY = items(20_100)

test.each([
  ['missing', 'DELETE FROM history WHERE position = 80', 'entry 80 is missing'],
  [
    'changed',
    `UPDATE history SET head = replace(head, 'i80', 'i81') WHERE position = 80`,
    'entry 80 is damaged',
  ],
  [
    'replaced by another entry',
    'DELETE FROM history WHERE position = 80; UPDATE history SET position = 80 WHERE position = 81',
    'entry 80 is damaged',
  ],
])('a store detects that an entry before the newest 20,000 entries is %s', async (_, change, detail) => {
  const path = await makeStore(MANY, change)
  const store = open(path)

  expect(() => store.object('items', 'i80')).toThrow(detail)
  expect(() => [...store.entries()]).toThrow(detail)
  expect(store.object('items', 'i79')?.body).toEqual({ number: 79 })
  expect(await store.past.at(70, (view) => view.objectCount('items'))).toBe(70)
  await expect(store.past.at(90, (view) => view.objectCount('items'))).rejects.toThrow(detail)
})

test('a store detects an entry with a changed body and returns the other entries', async () => {
  const change = `UPDATE history SET body = replace(body, '5', '6') WHERE position = 5`
  const store = open(await makeStore(MANY.slice(0, 20), change))

  expect(() => store.object('items', 'i5')).toThrow('the body of entry 5 (object) is damaged')
  expect(store.object('items', 'i6')?.body).toEqual({ number: 6 })
})

test('a job does not get the object of an earlier entry when the kind of its own object was changed', async () => {
  const [first, second] = MANY
  const job = ENTRIES_OF_EACH_TABLE.find(({ head }) => head.kind === 'job')
  if (!first || !second || !job) throw new Error('The entries have no object or no job')
  const entries = [first, second, { ...job, body: `{"items":${second.body}}` }, ...MANY.slice(2, 6_000)]
  const bodyAfter = async (change: string) => {
    const store = open(await makeStore(entries, change))
    const stored = store.job('j1')
    return stored && store.jobBodyIfWhole(stored)
  }

  expect(await bodyAfter('')).toBe(`{"items":${second.body}}`)
  expect(await bodyAfter(`UPDATE history SET kind = 'clock' WHERE position = 2`)).toBeUndefined()
})

test.each([
  ['its ID refers to another entry', `UPDATE objects SET position = 6 WHERE id = 'i5'`],
  ['its revision was changed', `UPDATE objects SET revision = 2 WHERE id = 'i5'`],
])('a store detects a damaged object when %s', async (_, change) => {
  const store = open(await makeStore(MANY.slice(0, 20), change))

  expect(() => store.object('items', 'i5')).toThrow('the row of items i5 is damaged')
})

test.each([
  ['status', `UPDATE jobs SET status = 'success' WHERE id = 'j2'`],
  ['URL', `UPDATE jobs SET url = replace(url, 'r1', 'r2') WHERE id = 'j2'`],
  ['due time', `UPDATE jobs SET next_due_at = 1 WHERE id = 'j2'`],
  [
    'place',
    `UPDATE jobs SET ordinal = -ordinal WHERE id > 'j1'; UPDATE jobs SET ordinal = 3 + ordinal WHERE id > 'j1'`,
  ],
])('a store detects a damaged job when its %s was changed', async (_, change) => {
  const store = open(await makeStore(ENTRIES_OF_EACH_TABLE, change))

  expect(() => store.job('j2')).toThrow('job j2 is damaged')
  expect(() => store.jobPage({}, { limit: 10 })).toThrow('is damaged')
  expect(store.job('j1')?.status).toBe('success')
})
