import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteLog } from '../../../../sandbox/adapters/sqlite/sqlite-log.ts'
import { verifyStore } from '../../../../sandbox/adapters/sqlite/verify-store.ts'
import { createSeededRandom } from '../../../../sandbox/engine/core/random.ts'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import { createStore } from '../../../../sandbox/engine/state/store.ts'

const ENTRIES: readonly Entry[] = Array.from({ length: 60 }, (_, index) => ({
  head: { kind: 'object', at: index + 1, object_type: 'items', id: 'i1', revision: index + 1 },
  body: JSON.stringify({ name: `Number ${index}`.repeat(30) }),
}))

/** A store that was closed. */
function makeStore(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'store.sqlite')
  const log = openSqliteLog(path)
  for (const entry of ENTRIES) log.append([entry])
  log.close()
  return path
}

test('verifyStore() finds nothing wrong with a whole store, and leaves it as it is', () => {
  const path = makeStore()
  const before = readFileSync(path)

  expect(verifyStore(path)).toEqual({ entries: ENTRIES.length, problems: [] })
  expect([readFileSync(path).equals(before), readdirSync(join(path, '..'))]).toEqual([
    true,
    ['store.sqlite', 'store.sqlite.head'],
  ])
})

test.each([
  ['DELETE FROM entries WHERE position = 8', ['Entry 8 is missing']],
  [
    `UPDATE entries SET body = replace(body, '7', '8') WHERE position = 8`,
    ['The body of entry 8 (object) is not what was written'],
  ],
  [
    `UPDATE entries SET head = replace(head, 'i1', 'i2') WHERE position = 8`,
    ['Entry 8 is not what was written'],
  ],
  [
    `UPDATE entries SET body = (SELECT body FROM entries WHERE position = 9) WHERE position = 8`,
    ['The body of entry 8 (object) is not what was written'],
  ],
  [`UPDATE shapes SET names = replace(names, 'revision', 'version')`, ['Shape 1 is not what was written']],
  [
    'CREATE TABLE a (b); PRAGMA user_version = 0',
    [expect.stringContaining('it is the database of another program')],
  ],
])('verifyStore() says what is wrong where after "%s", and leaves it as it is', (sql, problems) => {
  const path = makeStore()
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = DELETE; ${sql}`)
  database.close()
  const before = readFileSync(path)

  expect(verifyStore(path).problems).toEqual(problems)
  expect(readFileSync(path).equals(before)).toBe(true)
})

function registration(id: string, enabled: boolean): Entry {
  const stated = {
    id,
    generation: 'webhooks',
    object_type: 'items',
    url: 'https://a.example/',
    enabled,
  } as const
  const registered = { ...stated, description: null, created_at: 1, updated_at: 1 }
  return { head: { kind: 'registration', at: 1, registration: registered }, body: '' }
}

test('verifyStore() counts what an entry with a damaged body says, so that nothing else is found wrong', () => {
  const path = makeStore()
  const log = openSqliteLog(path)
  log.append([registration('r1', true), registration('r1', false), registration('r2', true)])
  log.close()
  const database = new DatabaseSync(path)
  database.exec(`UPDATE entries SET body = body || ' ' WHERE position = ${ENTRIES.length + 2}`)
  database.close()

  expect(verifyStore(path).problems).toEqual(['The body of entry 62 (registration) is not what was written'])
})

/** What a sandbox makes of the store: its entries, as far as they can be read, or nothing if it does not start. */
function readAll(path: string): readonly (Entry | undefined)[] {
  try {
    const log = openSqliteLog(path)
    try {
      createStore(log, queueMicrotask)
      return Array.from({ length: log.length }, (_, index) => {
        try {
          const { head, body } = log.read(index + 1)
          return { head: { ...head }, body }
        } catch {
          return undefined
        }
      })
    } finally {
      log.close()
    }
  } catch {
    return []
  }
}

test('no bit of a store can turn unnoticed into another entry', () => {
  const path = makeStore()
  const whole = readFileSync(path)
  const random = createSeededRandom(7)
  const unnoticed: number[] = []

  for (let round = 0; round < 150; round++) {
    const bit = Math.floor(random() * whole.length * 8)
    const bytes = Buffer.from(whole)
    bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    writeFileSync(path, bytes)
    const { entries, problems } = verifyStore(path)
    const found = readAll(path)
    const isServedAsTruth = found.some(
      (entry, index) => entry !== undefined && JSON.stringify(entry) !== JSON.stringify(ENTRIES[index]),
    )
    const isShort = problems.length === 0 && (entries !== ENTRIES.length || found.includes(undefined))
    if (isServedAsTruth || isShort) unnoticed.push(bit)
  }

  expect(unnoticed).toEqual([])
})
