import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { openStoreDatabase } from '../../../../sandbox/adapters/sqlite/store-database.ts'
import { verifyStore } from '../../../../sandbox/adapters/sqlite/verify-store.ts'
import { listWorldTables } from '../../../../sandbox/engine/state/queries/world-rows.ts'
import { createReplay } from '../../../../sandbox/engine/state/replay.ts'
import { createSeededRandom } from '../../../../sandbox/engine/core/random.ts'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import { StorageError } from '../../../../sandbox/engine/state/storage-error.ts'
import type { Store } from '../../../../sandbox/engine/state/store.ts'
import { ENTRIES_OF_EACH_TABLE } from '../../../support/entries-of-each-table.ts'
import { openFileStore } from '../../../support/stores.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { testSeed } from '../../../support/test-seed.ts'

const credentials = { client_id: 'a', client_secret: 'b', email: 'c', api_token: 'd' }
const ENTRIES_OF_ANNA = 4
const ANNA = { id: 'id-anna', name: 'anna', credentials, controlToken: 'e', createdAt: 1, expiresAt: null }

async function makeStore(entries = ENTRIES_OF_EACH_TABLE): Promise<string> {
  const path = join(temporaryFolder(), 'store.sqlite')
  const database = openStoreDatabase(path, { soon: queueMicrotask })
  const store = database.openDefault()
  await store.commit(entries)
  await database.directory.add(ANNA, async (added) => {
    await added.commit(ENTRIES_OF_EACH_TABLE.slice(0, ENTRIES_OF_ANNA))
    return undefined
  })
  store.close()
  database.close()
  return path
}

/** Opens a database and closes it after `use`. Leaves no other files behind. */
function withDatabase<Result>(path: string, use: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(path)
  try {
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF')
    return use(database)
  } finally {
    database.close()
  }
}

test('verifyStore() reports no problem for an intact store and changes nothing', async () => {
  const path = await makeStore()
  const before = readFileSync(path)

  const entries = ENTRIES_OF_EACH_TABLE.length + ENTRIES_OF_ANNA
  expect(verifyStore(path)).toEqual({ entries, problems: [], loss: undefined })
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(readdirSync(dirname(path))).toEqual(['store.sqlite', 'store.sqlite.head'])
})

const TABLES = ['worlds', ...listWorldTables(createReplay('').sql)]

test.each(TABLES)('verifyStore() reports each missing row of the table %s', async (table) => {
  const path = await makeStore()
  const rows = withDatabase(path, (database) => countRows(database, table))
  const whole = readFileSync(path)
  const unnoticed: number[] = []

  for (let row = 0; row < rows; row++) {
    writeFileSync(path, whole)
    withDatabase(path, (database) => deleteRow(database, table, row))
    if (verifyStore(path).problems.length === 0) unnoticed.push(row)
  }

  expect([rows > 0, unnoticed]).toEqual([true, []])
})

test.each(TABLES)('verifyStore() reports each changed value of the table %s', async (table) => {
  const path = await makeStore()
  const [rows, columns] = withDatabase(path, (database) => [
    countRows(database, table),
    database.prepare(`SELECT name FROM pragma_table_info(?)`).all(table),
  ])
  const whole = readFileSync(path)
  const unnoticed: string[] = []
  let changes = 0

  for (let row = 0; row < rows; row++) {
    for (const { name } of columns) {
      writeFileSync(path, whole)
      if (!withDatabase(path, (database) => changeValue(database, { table, row, column: String(name) })))
        continue
      changes++
      if (verifyStore(path).problems.length === 0) unnoticed.push(`${String(name)} of row ${row}`)
    }
  }

  expect([changes > 0, unnoticed]).toEqual([true, []])
})

test('verifyStore() names an object with a damaged body, and the job that contains the object', async () => {
  const [object] = ENTRIES_OF_EACH_TABLE
  const job = ENTRIES_OF_EACH_TABLE.find(({ head }) => head.kind === 'job')
  if (!object || !job) throw new Error('The entries have no object or no job')
  const path = await makeStore([object, { ...job, body: `{"items":${object.body}}` }])
  withDatabase(path, (database) =>
    database.exec(`UPDATE history SET body = body || ' ' WHERE world = 1 AND kind = 'object'`),
  )

  expect(verifyStore(path).problems).toEqual([
    'The body of entry 1 (object) is damaged',
    'The body of entry 2 (job) is damaged',
  ])
})

const SWAP_ENTRIES = `
  UPDATE history SET position = -1 WHERE world = 1 AND position = 1;
  UPDATE history SET position = 1 WHERE world = 1 AND position = 2;
  UPDATE history SET position = 2 WHERE world = 1 AND position = -1;`

const SWAP_WORLDS = `
  UPDATE history SET world = 9 WHERE world = 1 AND position = 1;
  UPDATE history SET world = 1 WHERE world = 2 AND position = 1;
  UPDATE history SET world = 2 WHERE world = 9 AND position = 1;`

test.each([
  ['DELETE FROM history WHERE world = 1 AND position = 8', ['Entry 8 is missing']],
  ['DELETE FROM history WHERE world = 2 AND position = 2', ['World "anna": entry 2 is missing']],
  [
    `UPDATE history SET body = replace(body, '1', '2') WHERE world = 1 AND position = 1`,
    ['The body of entry 1 (object) is damaged'],
  ],
  [SWAP_ENTRIES, ['Entry 1 is damaged']],
  [SWAP_WORLDS, ['Entry 1 is damaged', 'World "anna": entry 1 is damaged']],
  [
    `DELETE FROM jobs WHERE id = 'j2'`,
    [expect.stringMatching(/^A row of jobs is missing: \{"ordinal":1,"id":"j2",/)],
  ],
  [
    `UPDATE payments SET payment = replace(payment, '1200', '9200') WHERE id = 'p1'`,
    [
      expect.stringMatching(/^A row of payments is damaged: .*9200/),
      expect.stringMatching(/^A row of payments is missing: .*1200/),
    ],
  ],
  ['DELETE FROM worlds WHERE number = 2', ['World number 2 is missing']],
  [
    'CREATE TABLE a (b); PRAGMA user_version = 0',
    [expect.stringContaining('the file is the database of another program')],
  ],
])('verifyStore() names the damage after the statement %s and changes nothing', async (sql, problems) => {
  const path = await makeStore()
  withDatabase(path, (database) => database.exec(sql))
  const before = readFileSync(path)

  expect(verifyStore(path).problems).toEqual(problems)
  expect(readFileSync(path).equals(before)).toBe(true)
})

test('verifyStore() reports only the body when the body of an entry is damaged', async () => {
  const path = await makeStore()
  withDatabase(path, (database) =>
    database.exec(`UPDATE history SET body = body || ' ' WHERE world = 1 AND kind = 'registration'`),
  )

  expect(verifyStore(path).problems).toEqual(
    [5, 6, 7].map((position) => `The body of entry ${position} (registration) is damaged`),
  )
})

/** Returns the entries of the default world, as a sandbox reads them. Returns an empty list if the store does not open. */
function readAll(path: string): readonly Entry[] {
  let store: Store | undefined
  const entries: Entry[] = []
  try {
    store = openFileStore(path)
    for (const entry of store.entries()) entries.push(entry)
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
  }
  store?.close()
  return entries
}

test('a store returns no entry when the bodies of its entries were changed to bytes', async () => {
  const path = await makeStore()
  withDatabase(path, (database) => {
    database.enableDefensive(false)
    database.exec(
      `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'history'`,
    )
  })
  withDatabase(path, (database) =>
    database.exec('UPDATE history SET body = CAST(body AS BLOB) WHERE world = 1'),
  )

  expect(readAll(path)).toEqual([])
})

test('a flipped bit in a store is reported or changes no data', async () => {
  const path = await makeStore()
  const whole = readFileSync(path)
  const head = readFileSync(`${path}.head`)
  const rows = withDatabase(path, readRows)
  const random = createSeededRandom(testSeed)
  const unnoticed: number[] = []

  for (let round = 0; round < 150; round++) {
    const bit = Math.floor(random() * whole.length * 8)
    const bytes = Buffer.from(whole)
    bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    writeFileSync(path, bytes)
    writeFileSync(`${path}.head`, head)
    const isFound = verifyStore(path).problems.length > 0
    const entries = readAll(path)
    const isServedAsTruth = !isDeepStrictEqual(entries, ENTRIES_OF_EACH_TABLE.slice(0, entries.length))
    if (isServedAsTruth || (!isFound && withDatabase(path, readRows) !== rows)) unnoticed.push(bit)
    rmSync(`${path}-wal`, { force: true })
  }

  expect(unnoticed).toEqual([])
})

function readRows(database: DatabaseSync): string {
  return JSON.stringify(TABLES.map((table) => database.prepare(`SELECT * FROM ${table}`).all()))
}

function countRows(database: DatabaseSync, table: string): number {
  return Number(database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.['rows'])
}

interface Place {
  readonly table: string
  readonly row: number
  readonly column: string
}

function keyOf(database: DatabaseSync, { table, row }: Omit<Place, 'column'>) {
  const columns = database.prepare('SELECT name FROM pragma_table_info(?) WHERE pk > 0').all(table)
  const key = columns.map(({ name }) => String(name))
  const found = database.prepare(`SELECT * FROM ${table} ORDER BY ${key.join()} LIMIT 1 OFFSET ?`).get(row)
  return {
    where: key.map((name) => `${name} = ?`).join(' AND '),
    values: key.map((name) => found?.[name] ?? null),
    found,
  }
}

function deleteRow(database: DatabaseSync, table: string, row: number): void {
  const { where, values } = keyOf(database, { table, row })
  database.prepare(`DELETE FROM ${table} WHERE ${where}`).run(...values)
}

/** Changes a value in the database. Returns false if the schema forbids the new value. */
function changeValue(database: DatabaseSync, place: Place): boolean {
  const { where, values, found } = keyOf(database, place)
  const { table, column } = place
  try {
    const other = otherThan(found?.[column] ?? null)
    return (
      database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(other, ...values).changes === 1
    )
  } catch {
    return false
  }
}

function otherThan(value: SQLInputValue): SQLInputValue {
  if (typeof value === 'number') return value === 0 ? 1 : value === 1 ? 0 : value + 7
  if (value === null) return 7
  const text = typeof value === 'string' ? value : Buffer.from(Object(value)).toString()
  return `${text.slice(0, -1)}${text.endsWith('x') ? 'y' : 'x'}`
}
