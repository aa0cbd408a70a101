import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { useWorkshop } from '../support/workshop.ts'

const shop = useWorkshop()

/** Creates the data folder of a killed 0.1.0 sandbox with an additional world. */
async function makeOldFolder(name: string): Promise<string> {
  const up = await shop.up('--memory', '--data', name)
  await up.end('SIGTERM')
  const folder = join(shop.folder, name)
  const world = join(folder, 'worlds', 'anna')
  mkdirSync(world, { recursive: true, mode: 0o700 })
  writeFileSync(join(world, 'world.json'), '{}', { mode: 0o600 })
  for (const place of [folder, world]) {
    const path = join(place, 'store.sqlite')
    const database = new DatabaseSync(path)
    database.exec(`
      CREATE TABLE entries (position INTEGER PRIMARY KEY, head TEXT NOT NULL, body TEXT NOT NULL) STRICT;
      INSERT INTO entries VALUES (1, '[1]', '');
      PRAGMA user_version = 3;`)
    database.close()
    chmodSync(path, 0o600)
    for (const suffix of ['-wal', '-shm', '.head']) writeFileSync(path + suffix, '', { mode: 0o600 })
  }
  return folder
}

const runUp = (name: string) =>
  shop.run('up', '--data', name, '--port', '0', '--bench-port', '0', '--clock', 'manual')

test('the command "up" rejects a store of version 0.1.0 with exit code 4 and suggests reset', async () => {
  const folder = await makeOldFolder('refused')
  const before = readFileSync(join(folder, 'store.sqlite'))

  const { code, stdout, stderr } = await runUp('refused')
  const doctor = await shop.run('doctor', '--store', '--data', 'refused')

  expect([code, stdout, doctor.code]).toEqual([4, '', 4])
  expect(stderr).toMatch(
    /^hookbench: Cannot open store "[^"]*": version 0\.1\.0 wrote the store, [^\n]*\. Start over with "npx hookbench reset --data [^"]*refused", or use another --data folder\n$/,
  )
  expect(readFileSync(join(folder, 'store.sqlite')).equals(before)).toBe(true)
})

test('the command "reset" removes a store of version 0.1.0 and its worlds but keeps the CA', async () => {
  const folder = await makeOldFolder('reset')
  const ca = readFileSync(join(folder, 'ca/ca.crt.pem'))

  const { code, stdout, stderr } = await shop.run('reset', '--data', 'reset')
  const left = readdirSync(folder).filter((name) => /store|worlds/.test(name))
  const up = await shop.up('--clock', 'manual', '--data', 'reset')
  const { objects } = await shop.json<{ objects: readonly unknown[] }>('objects', 'items', '--data', 'reset')
  await up.end('SIGTERM')

  expect([code, stderr, left, objects]).toEqual([0, '', [], []])
  expect(stdout).toBe(
    `Removed the store of version 0.1.0, "${join(folder, 'store.sqlite')}". The next start begins with an empty store\n`,
  )
  expect(readFileSync(join(folder, 'ca/ca.crt.pem')).equals(ca)).toBe(true)
})
