import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import { openSqliteLog } from '../../../../sandbox/adapters/sqlite/sqlite-log.ts'
import { StorageError } from '../../../../sandbox/engine/state/log.ts'
import { createStore } from '../../../../sandbox/engine/state/store.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const SQLITE_LOG = new URL('../../../../sandbox/adapters/sqlite/sqlite-log.ts', import.meta.url).href

const now = (run: () => void) => queueMicrotask(run)

/** An entry that takes some room. */
function entry(revision: number): Entry {
  const head = { kind: 'object', at: revision, object_type: 'items', id: 'i1', revision } as const
  return { head, body: JSON.stringify({ description: 'x'.repeat(500) }) }
}

test('openSqliteLog() refuses a file that is no database, and leaves it as it is', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'store.sqlite')
  writeFileSync(
    path,
    'not a database, but long enough to look like a file with a header of its own'.repeat(20),
  )
  const before = readFileSync(path)

  expect(() => openSqliteLog(path)).toThrow(/Cannot read store ".*store.sqlite": file is not a database/)

  expect(readFileSync(path)).toEqual(before)
})

test('openSqliteLog() refuses the format of another version', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'store.sqlite')
  const database = new DatabaseSync(path)
  database.exec('PRAGMA user_version = 99')
  database.close()

  expect(() => openSqliteLog(path)).toThrow('its format is 99, this version reads 3')
})

test('openSqliteLog() refuses a database of something else, and leaves it as it is', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'store.sqlite')
  const database = new DatabaseSync(path)
  database.exec('CREATE TABLE foo (a)')
  database.close()
  const before = readFileSync(path)

  expect(() => openSqliteLog(path)).toThrow('it is the database of another program')

  expect(readFileSync(path)).toEqual(before)
})

test('a store that is damaged in its middle is told as such', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'store.sqlite')
  const store = createStore(openSqliteLog(path), now)
  for (let index = 0; index < 200; index++) await store.commit([entry(index + 1)])
  store.close()
  const bytes = readFileSync(path)
  bytes.fill(0xaa, 3 * 4096, 12 * 4096)
  writeFileSync(path, bytes)

  const opening = () => createStore(openSqliteLog(path), now)

  expect(opening).toThrow(
    /^Cannot read store ".*store.sqlite": .*; move it, "store.sqlite-wal" and "store.sqlite.head" away, or use another --data folder$/,
  )
})

/** Opens it, reads all of it, and closes it. */
function readAll(path: string): readonly Entry[] {
  const log = openSqliteLog(path)
  try {
    return Array.from({ length: log.length }, (_, index) => log.read(index + 1))
  } finally {
    log.close()
  }
}

/** A store of so many entries; `change` is done to its database. */
function makeStore(count: number, change = ''): string {
  const path = join(temporaryFolder(), 'store.sqlite')
  const log = openSqliteLog(path)
  log.append(Array.from({ length: count }, (_, index) => entry(index + 1)))
  log.close()
  const database = new DatabaseSync(path)
  database.exec(change)
  database.close()
  return path
}

test.each([
  ['an entry is gone', 'DELETE FROM entries WHERE position = 8', 'entry 8 is missing'],
  [
    'two have changed places',
    'UPDATE entries SET position = 99 WHERE position = 3; UPDATE entries SET position = 3 WHERE position = 4; UPDATE entries SET position = 4 WHERE position = 99',
    'entry 3 is not what was written',
  ],
  [
    'a head was changed',
    `UPDATE entries SET head = replace(head, 'items', 'users') WHERE position = 5`,
    'entry 5 is not what was written',
  ],
  [
    'a shape was changed',
    `UPDATE shapes SET names = replace(names, 'revision', 'revisiox')`,
    'shape 1 is not what was written',
  ],
])('a store is refused where %s, and left as it is', (_, change, message) => {
  const path = makeStore(20, change)
  const before = readFileSync(path)

  expect(() => openSqliteLog(path)).toThrow(message)

  expect(readFileSync(path)).toEqual(before)
  expect(readdirSync(dirname(path))).toEqual(['store.sqlite', 'store.sqlite.head'])
})

test('a body that was changed is noticed when it is read, and the others are read', () => {
  const log = openSqliteLog(
    makeStore(20, `UPDATE entries SET body = replace(body, 'x', 'y') WHERE position = 5`),
  )

  expect(() => log.read(5)).toThrow('the body of entry 5 (object) is not what was written')
  expect(log.read(6)).toEqual(entry(6))
})

test('no bit of a store can be turned so that it says something else', () => {
  const path = makeStore(60)
  const whole = readFileSync(path)
  const entries = readAll(path)

  for (let turn = 0; turn < 120; turn++) {
    const bytes = Buffer.from(whole)
    const at = (turn * 7_919) % bytes.length
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (turn % 8)), at)
    writeFileSync(path, bytes)
    let read: readonly Entry[] | undefined
    try {
      read = readAll(path)
    } catch (error) {
      expect(error).toBeInstanceOf(StorageError)
    }
    if (read) expect(read).toEqual(entries)
  }
})

test('what a crash has left beside a damaged store stays', () => {
  const path = makeStore(100)
  const source = `
    const { openSqliteLog } = await import(${JSON.stringify(SQLITE_LOG)})
    const log = openSqliteLog(${JSON.stringify(path)})
    log.append([{ head: { kind: 'clock', at: 1 }, body: '' }])
    process.kill(process.pid, 'SIGKILL')`
  spawnSync(process.execPath, ['--input-type=module', '-e', source])
  // The heads that are in the file itself and not beside it.
  writeFileSync(path, readFileSync(path, 'latin1').replaceAll('items', 'itemz'), 'latin1')
  const files = () =>
    readdirSync(dirname(path)).map((name) => [name, readFileSync(join(dirname(path), name))])
  const before = files()

  expect(before.map(([name]) => name)).toEqual(['store.sqlite', 'store.sqlite-wal', 'store.sqlite.head'])
  expect(() => openSqliteLog(path)).toThrow('is not what was written')
  expect(files()).toEqual(before)
})

test('a checkpoint is given back, but not that of another log, nor a damaged one', () => {
  const checkpoint = { position: 10, bytes: Buffer.from('the state at ten') }
  const path = makeStore(20)
  const written = openSqliteLog(path)
  written.writeCheckpoint({ position: 5, bytes: Buffer.from('earlier') })
  written.writeCheckpoint(checkpoint)
  written.close()
  const readAfter = (change: string) => {
    const database = new DatabaseSync(path)
    database.exec(change)
    database.close()
    const log = openSqliteLog(path)
    const read = log.readCheckpoint()
    log.close()
    return read && { ...read, bytes: Buffer.from(read.bytes) }
  }

  expect(readAfter('')).toEqual(checkpoint)
  expect(readAfter('UPDATE checkpoints SET position = 11')).toBeUndefined()
  expect(
    readAfter(`UPDATE checkpoints SET position = 10, bytes = CAST('the state at tex' AS BLOB)`),
  ).toBeUndefined()
  expect(
    readAfter(`UPDATE checkpoints SET bytes = CAST('the state at ten' AS BLOB), head_sum = 1`),
  ).toBeUndefined()
})

test('replace() drops the checkpoint', () => {
  const log = openSqliteLog(makeStore(20))
  log.writeCheckpoint({ position: 10, bytes: Buffer.from('the state at ten') })

  log.replace([entry(1)])

  expect(log.readCheckpoint()).toBeUndefined()
  log.close()
})

test('openSqliteLog() keeps everything if it cannot be replaced, and goes on', () => {
  const folder = temporaryFolder()
  const log = openSqliteLog(join(folder, 'store.sqlite'))
  log.append([entry(1), entry(2)])
  const bad = { head: { ...entry(4).head, revision: 4n as unknown as number }, body: '' }

  expect(() => log.replace([entry(3), bad])).toThrow('BigInt')
  log.append([entry(5)])

  expect([1, 2, 3].map((position) => log.read(position))).toEqual([entry(1), entry(2), entry(5)])
  log.close()
})

test('who reads some heads alone keeps nobody from writing much', () => {
  const log = openSqliteLog(join(temporaryFolder(), 'store.sqlite'))
  const entries = Array.from({ length: 1_000 }, (_, index) => entry(index))
  log.append(entries)
  const heads = log.heads()[Symbol.iterator]()
  const { value: first } = heads.next()
  heads.return?.()

  for (let times = 0; times < 30; times++) log.append(entries)

  expect([first?.at, log.length]).toEqual([0, 31_000])
  log.close()
})

test('a scratch log keeps what it takes out of memory, and leaves no file when its process is killed', () => {
  const folder = temporaryFolder()
  const run = `
    const { openScratchLog } = await import(${JSON.stringify(SQLITE_LOG)})
    const log = openScratchLog()
    const head = { kind: 'object', at: 1, object_type: 'items', id: 'i1', revision: 1 }
    const body = 'x'.repeat(1_000)
    for (let batch = 0; batch < 300; batch++) log.append(Array.from({ length: 100 }, () => ({ head, body })))
    const { rss } = process.memoryUsage()
    global.gc()
    for (let batch = 0; batch < 300; batch++) log.append(Array.from({ length: 100 }, () => ({ head, body })))
    global.gc()
    const grownMb = (process.memoryUsage().rss - rss) / 1e6
    console.log(JSON.stringify({ length: log.length, first: log.read(1).body === body, grownMb }))
    process.kill(process.pid, 'SIGKILL')
  `
  const args = ['--expose-gc', '--input-type=module', '--eval', run]
  const env = { ...process.env, SQLITE_TMPDIR: folder, TMPDIR: folder, NODE_OPTIONS: '' }
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env })

  expect(stderr).toBe('')
  const { grownMb, ...kept } = JSON.parse(stdout)
  expect(kept).toEqual({ length: 60_000, first: true })
  // It took thirty.
  expect(grownMb).toBeLessThan(15)
  expect(readdirSync(folder)).toEqual([])
})
