import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { openWorkshop } from '../support/program.ts'

// One store for the whole file: the tests tell one story, in order.
const shop = openWorkshop()
const STORE = join(shop.folder, '.hookbench/store.sqlite')
const STORE_OF_ANNA = join(shop.folder, '.hookbench/worlds/anna/store.sqlite')

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

/** The beginning of a page that was being written when the process ended. */
function addTornPage(wal: string): void {
  const salts = readFileSync(wal).subarray(16, 24)
  appendFileSync(wal, Buffer.concat([Buffer.alloc(8), salts, Buffer.alloc(5_000)]))
}

test('doctor --store and up say which stores are cut back when the last write of each world is not whole', async () => {
  for (const path of [STORE, STORE_OF_ANNA]) addTornPage(`${path}-wal`)

  const { code, stdout } = await shop.run('doctor', '--store')
  const up = await shop.up('--clock', 'manual')
  await up.end('SIGTERM')
  const { stderr } = await up.ended()

  const cut =
    /^! (World "anna": )?What was written last to store ".*" is not whole .*: it is cut back to the last whole commit$/gm
  expect([code, [...stdout.matchAll(cut)].map(([_, world]) => world)]).toEqual([
    0,
    [undefined, 'World "anna": '],
  ])
  expect(stderr).toMatch(
    /^hookbench: What was written last to store "[^\n]*\nhookbench: World "anna": What was written last to store "[^\n]*\n$/,
  )
})

test('doctor --store finds whole stores whole', async () => {
  const { code, stdout } = await shop.run('doctor', '--store')

  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /^✓ Store ".*": \d+ entries, all of them as they were written\n✓ World "anna": Store ".*": \d+ entries, all .*\n$/,
    ),
  ])
})

test('doctor --store says what is damaged where with exit code 4, and leaves it as it is', async () => {
  const database = new DatabaseSync(STORE)
  database.exec(
    `PRAGMA journal_mode = DELETE; UPDATE entries SET body = replace(body, 'Kept', 'kept') WHERE body LIKE '%Kept%'`,
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

test('doctor --store says which world has a store that is damaged', async () => {
  const kept = readFileSync(STORE_OF_ANNA)
  writeFileSync(STORE_OF_ANNA, 'not a database'.repeat(100))

  const { code, stdout } = await shop.run('doctor', '--store')

  writeFileSync(STORE_OF_ANNA, kept)
  expect([code, stdout]).toEqual([4, expect.stringContaining('✗ World "anna": File is not a database')])
})

test('doctor --store says that something is no store at all', async () => {
  writeFileSync(STORE, 'not a database'.repeat(100))

  const { code, stdout } = await shop.run('doctor', '--store')

  expect([code, stdout]).toEqual([4, expect.stringContaining('File is not a database')])
})
