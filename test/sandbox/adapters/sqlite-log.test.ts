import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Entry } from '../../../sandbox/engine/state/entries.ts'
import { openSqliteLog } from '../../../sandbox/adapters/sqlite-log.ts'
import { createStore } from '../../../sandbox/engine/state/store.ts'

const now = (run: () => void) => queueMicrotask(run)

/** An entry that takes some room. */
function entry(revision: number): Entry {
  const head = { kind: 'object', at: revision, object_type: 'items', id: 'i1', revision } as const
  return { head, body: JSON.stringify({ description: 'x'.repeat(500) }) }
}

test('openSqliteLog() refuses a file that is no database, and leaves it as it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-'))
  const path = join(folder, 'store.sqlite')
  writeFileSync(
    path,
    'not a database, but long enough to look like a file with a header of its own'.repeat(20),
  )
  const before = readFileSync(path)

  expect(() => openSqliteLog(path)).toThrow(/Cannot read store ".*store.sqlite": file is not a database/)

  expect(readFileSync(path)).toEqual(before)
  rmSync(folder, { recursive: true })
})

test('openSqliteLog() refuses the format of another version', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-'))
  const path = join(folder, 'store.sqlite')
  const database = new DatabaseSync(path)
  database.exec('PRAGMA user_version = 99')
  database.close()

  expect(() => openSqliteLog(path)).toThrow('its format is 99, this version reads 2')

  rmSync(folder, { recursive: true })
})

test('openSqliteLog() refuses a database of something else, and leaves it as it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-'))
  const path = join(folder, 'store.sqlite')
  const database = new DatabaseSync(path)
  database.exec('CREATE TABLE foo (a)')
  database.close()
  const before = readFileSync(path)

  expect(() => openSqliteLog(path)).toThrow('it is the database of another program')

  expect(readFileSync(path)).toEqual(before)
  rmSync(folder, { recursive: true })
})

test('a store that is damaged in its middle is told as such', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-'))
  const path = join(folder, 'store.sqlite')
  const store = createStore(openSqliteLog(path), now)
  for (let index = 0; index < 200; index++) await store.commit([entry(index + 1)])
  store.close()
  const bytes = readFileSync(path)
  bytes.fill(0xaa, 3 * 4096, 12 * 4096)
  writeFileSync(path, bytes)

  const opening = () => createStore(openSqliteLog(path), now)

  expect(opening).toThrow(
    /^Cannot read store ".*store.sqlite": .*; move the file away, or use another --data folder$/,
  )
  rmSync(folder, { recursive: true })
})

test('an entry that is not valid is damage, and is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-'))
  const path = join(folder, 'store.sqlite')
  openSqliteLog(path).close()
  const database = new DatabaseSync(path)
  database.exec(`INSERT INTO entries VALUES (1, '{}', '')`)
  database.close()

  expect(() => createStore(openSqliteLog(path), now)).toThrow('entry 1 is not valid')
  rmSync(folder, { recursive: true })
})

test('openSqliteLog() keeps everything if it cannot be replaced, and goes on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-'))
  const log = openSqliteLog(join(folder, 'store.sqlite'))
  log.append([entry(1), entry(2)])
  const bad = { head: { ...entry(4).head, revision: 4n as unknown as number }, body: '' }

  expect(() => log.replace([entry(3), bad])).toThrow('BigInt')
  log.append([entry(5)])

  expect([1, 2, 3].map((position) => log.read(position))).toEqual([entry(1), entry(2), entry(5)])
  log.close()
  rmSync(folder, { recursive: true })
})
