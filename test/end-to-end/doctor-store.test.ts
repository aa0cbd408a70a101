import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { openWorkshop } from '../support/program.ts'

// One store for the whole file: the tests tell one story, in order.
const shop = openWorkshop()
const STORE = join(shop.folder, '.hookbench/store.sqlite')

afterAll(() => shop.close())

test('doctor --store says that a sandbox runs', async () => {
  const up = await shop.up('--clock', 'manual')
  await shop.run('create', 'items', 'name=Kept')
  await shop.run('create', 'items', 'name=Lost')
  await shop.run('worlds', 'add', 'anna')
  await shop.run('create', 'items', 'name=Hers', '--world', 'anna')

  const { code, stderr } = await shop.run('doctor', '--store')
  await up.end('SIGKILL')

  expect([code, stderr]).toEqual([2, expect.stringContaining(`process ${up.pid} at`)])
  expect(stderr).toContain('stop it first with "npx hookbench down"')
})

test('doctor --store reads the entries of all worlds', async () => {
  const { code, stdout } = await shop.run('doctor', '--store')

  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^✓ Store ".*": [1-9]\d* entries, all of them as they were written\n$/),
  ])
})

test('doctor --store says what is damaged where with exit code 4, and leaves it as it is', async () => {
  const database = new DatabaseSync(STORE)
  database.exec(
    `PRAGMA journal_mode = DELETE; UPDATE history SET body = replace(body, 'Kept', 'kept') WHERE body LIKE '%Kept%'`,
  )
  database.close()
  const before = readFileSync(STORE)

  const { code, stdout } = await shop.run('doctor', '--store', '--json')

  const { findings } = JSON.parse(stdout)
  expect([code, findings.at(0)]).toEqual([
    4,
    {
      about: 'store',
      level: 'problem',
      message: expect.stringMatching(/^The body of entry \d+ \(object\) is not what was written$/),
    },
  ])
  expect(readFileSync(STORE).equals(before)).toBe(true)
})

test('doctor --store says that something is no store at all', async () => {
  writeFileSync(STORE, 'not a database'.repeat(100))

  const { code, stdout } = await shop.run('doctor', '--store')

  expect([code, stdout]).toEqual([4, expect.stringContaining('File is not a database')])
})
