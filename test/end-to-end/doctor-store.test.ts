import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { useWorkshop } from '../support/workshop.ts'

// All tests share one store, so their order matters.
const shop = useWorkshop()
const STORE = join(shop.folder, '.hookbench/store.sqlite')

test('the command "doctor --store" reports a running sandbox', async () => {
  const up = await shop.up('--clock', 'manual')
  await shop.run('create', 'items', 'name=Kept')
  await shop.run('create', 'items', 'name=Lost')
  await shop.run('worlds', 'add', 'anna')
  await shop.run('create', 'items', 'name=Hers', '--world', 'anna')

  const { code, stderr } = await shop.run('doctor', '--store')
  await up.end('SIGKILL')

  expect([code, stderr]).toEqual([2, expect.stringContaining(`process ${up.pid} at`)])
  expect(stderr).toContain('Stop that process first with "npx hookbench down"')
})

/** Appends an incomplete page to the write-ahead log, as after a crash. */
function addTornPage(wal: string): void {
  const salts = readFileSync(wal).subarray(16, 24)
  appendFileSync(wal, Buffer.concat([Buffer.alloc(8), salts, Buffer.alloc(5_000)]))
}

test('the commands "doctor --store" and "up" accept a store whose last unacknowledged write is incomplete', async () => {
  addTornPage(`${STORE}-wal`)

  const { code, stdout } = await shop.run('doctor', '--store')
  const up = await shop.up('--clock', 'manual')
  const { objects } = await shop.json<{ objects: readonly unknown[] }>('objects', 'items', '--world', 'anna')
  await up.end('SIGTERM')

  expect([code, stdout]).toEqual([0, expect.stringMatching(/^✓ Store ".*": all \d+ entries are intact\n$/)])
  expect([(await up.ended()).stderr, objects.length]).toEqual(['', 1])
})

/** Changes the store with SQL. Restores the store file after the test. */
function changeStore(sql: string): Buffer {
  const kept = readFileSync(STORE)
  onTestFinished(() => writeFileSync(STORE, kept))
  const database = new DatabaseSync(STORE)
  database.exec(`PRAGMA journal_mode = DELETE; ${sql}`)
  database.close()
  return readFileSync(STORE)
}

test('the command "doctor --store" names the damage, exits with code 4 and changes nothing', async () => {
  const changed = changeStore(
    `UPDATE history SET body = replace(body, 'Kept', 'kept') WHERE body LIKE '%Kept%' AND kind = 'object'`,
  )

  const { code, stdout } = await shop.run('doctor', '--store', '--json')

  const { findings } = JSON.parse(stdout)
  expect([code, findings.at(0)]).toEqual([
    4,
    {
      about: 'store',
      level: 'problem',
      message: expect.stringMatching(/^The body of entry \d+ \(object\) is damaged$/),
    },
  ])
  expect(readFileSync(STORE).equals(changed)).toBe(true)
})

test('the command "doctor --store" reports a file that is not a store', async () => {
  writeFileSync(STORE, 'not a database'.repeat(100))

  const { code, stdout } = await shop.run('doctor', '--store')

  expect([code, stdout]).toEqual([4, expect.stringContaining('File is not a database')])
})
