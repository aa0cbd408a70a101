import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PAGE_BYTES } from '../../../../sandbox/adapters/sqlite/database.ts'
import { verifyStore } from '../../../../sandbox/adapters/sqlite/verify-store.ts'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import { openFileStore, openMemoryStore } from '../../../support/stores.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { files, item, items, makeClosedStore, newPath, open, withDatabase } from './store-files.ts'

const STORES = new URL('../../../support/stores.ts', import.meta.url).href
const STORE_DATABASE = new URL('../../../../sandbox/adapters/sqlite/store-database.ts', import.meta.url).href

const LONG = { description: 'x'.repeat(500) }

function textEntry(at: number, body: string): Entry {
  return { head: { kind: 'secret', at, set_at: at }, body }
}

const FOREIGN: readonly (readonly [string, (path: string) => void, RegExp])[] = [
  [
    'a file that is not a database',
    (path) => writeFileSync(path, 'not a database, but as long as the header of one'.repeat(20)),
    /^Cannot read store ".*store.sqlite": file is not a database\. Move this file/,
  ],
  [
    'a database of another program',
    (path) => withDatabase(path, 'CREATE TABLE a (b)'),
    /^Cannot open store ".*": the file is the database of another program\. Use another --data folder$/,
  ],
  [
    'a database of another program with the number of version 0.1.0',
    (path) => withDatabase(path, 'CREATE TABLE a (b); PRAGMA user_version = 3'),
    /^Cannot open store ".*": the file is the database of another program\. Use another --data folder$/,
  ],
  [
    'a store of a later version',
    (path) => withDatabase(path, 'CREATE TABLE a (b); PRAGMA user_version = 99'),
    /^Cannot open store ".*": the store has format 99, but this version reads only up to \d+\. Use another --data folder$/,
  ],
  [
    'a store of version 0.1.0',
    (path) =>
      withDatabase(path, 'CREATE TABLE entries (position INTEGER PRIMARY KEY); PRAGMA user_version = 3'),
    /^Cannot open store ".*": version 0\.1\.0 wrote the store, .*\. Start over with "npx hookbench reset --data [^"]+", or use another --data folder$/,
  ],
]

test.each(FOREIGN)('openFileStore() rejects and does not change the file: %s', (_, make, message) => {
  const path = newPath()
  make(path)
  const before = files(path)

  expect(() => openFileStore(path)).toThrow(
    expect.objectContaining({
      name: 'StorageError',
      kind: 'damaged',
      message: expect.stringMatching(message),
    }),
  )

  expect(verifyStore(path).problems).toHaveLength(1)
  expect(files(path)).toEqual(before)
})

test('openFileStore() rejects a store with damaged pages in the middle of the file', async () => {
  const path = await makeClosedStore(items(200, LONG))
  const bytes = readFileSync(path)
  bytes.fill(0xaa, 3 * PAGE_BYTES, 12 * PAGE_BYTES)
  writeFileSync(path, bytes)

  expect(() => openFileStore(path)).toThrow(
    /^Cannot read store ".*store.sqlite": .*\. Move this file, "store.sqlite-wal" and "store.sqlite.head" away, or use another --data folder$/,
  )
})

test.each(['file', 'memory'])('a store in a %s returns every stored text unchanged', async (where) => {
  const texts = [
    '',
    '\0',
    'a\0b',
    '\u0001',
    '\u0001"x"',
    '"\\',
    '🎲 ü €',
    '{"a":"\\u0000"}',
    'x'.repeat(100_000),
  ]
  const entries = texts.map((text, index) => textEntry(index + 1, text))
  const store = where === 'file' ? open(await makeClosedStore(entries)) : openMemoryStore()
  if (where === 'memory') await store.commit(entries)

  expect([...store.entries()].map(({ body }) => body)).toEqual(texts)
})

test('a reader that stops early does not block further writes', async () => {
  const store = open(newPath())
  await store.commit(items(1_000, LONG))
  const entries = store.entries()[Symbol.iterator]()
  const { value: first } = entries.next()

  for (let batch = 1; batch <= 30; batch++)
    await store.commit(Array.from({ length: 1_000 }, (_, index) => textEntry(index, `batch ${batch}`)))

  expect([first, entries.next().value, store.length]).toEqual([item(1, LONG), item(2, LONG), 31_000])
})

test('the failed opening of a damaged store leaves the files of a killed process unchanged', async () => {
  const path = await makeClosedStore(items(100, LONG))
  const source = `
    const { openFileStore } = await import(${JSON.stringify(STORES)})
    const store = openFileStore(${JSON.stringify(path)})
    await store.commit([{ head: { kind: 'clock', at: 1 }, body: '' }])
    process.kill(process.pid, 'SIGKILL')`
  spawnSync(process.execPath, ['--input-type=module', '-e', source])
  // Changes rows in the database, not in the write-ahead log.
  writeFileSync(path, readFileSync(path, 'latin1').replaceAll('"items"', '"itemz"'), 'latin1')
  const before = files(path)

  expect(before.map(([name]) => name)).toEqual(['store.sqlite', 'store.sqlite-wal', 'store.sqlite.head'])
  expect(() => openFileStore(path)).toThrow('is damaged')
  expect(files(path)).toEqual(before)
})

test('a second process cannot open a store', async () => {
  const path = newPath()
  const store = open(path)
  await store.commit(items(3))
  const source = `
    const { openFileStore } = await import(${JSON.stringify(STORES)})
    try { openFileStore(${JSON.stringify(path)}) } catch ({ name, kind }) { console.log(name, kind) }`

  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  await store.commit([item(4)])

  expect([stdout, stderr]).toEqual(['StorageError unusable\n', ''])
  expect([...store.entries()]).toEqual(items(4))
})

test('a temporary store is on disk and leaves no file after a kill', () => {
  const folder = temporaryFolder()
  const run = `
    const { openSingleStore } = await import(${JSON.stringify(STORE_DATABASE)})
    const store = openSingleStore('', { soon: queueMicrotask })
    const head = { kind: 'secret', at: 1, set_at: 1 }
    const body = 'x'.repeat(1_000)
    const write = async () => {
      for (let batch = 0; batch < 300; batch++) await store.commit(Array.from({ length: 100 }, () => ({ head, body })))
      global.gc()
      return process.memoryUsage().rss
    }
    const before = await write()
    const grownMb = ((await write()) - before) / 1e6
    const [first] = store.entries()
    console.log(JSON.stringify({ length: store.length, first: first.body === body, grownMb }))
    process.kill(process.pid, 'SIGKILL')
  `
  const args = ['--expose-gc', '--input-type=module', '--eval', run]
  const env = { ...process.env, SQLITE_TMPDIR: folder, TMPDIR: folder, NODE_OPTIONS: '' }
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env })

  expect(stderr).toBe('')
  const { grownMb, ...kept } = JSON.parse(stdout)
  expect(kept).toEqual({ length: 60_000, first: true })
  // A store in memory would need 30 MB.
  expect(grownMb).toBeLessThan(15)
  expect(readdirSync(folder)).toEqual([])
})
