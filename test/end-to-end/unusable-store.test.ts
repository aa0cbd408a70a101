import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openDataFolder } from '../../sandbox/adapters/data-folder.ts'
import type { Entry } from '../../sandbox/engine/state/entries.ts'
import { mountSmallDisk, type SmallDisk } from './disks.ts'
import { useWorkshop } from '../support/workshop.ts'
import { openFileStore } from '../support/stores.ts'

const shop = useWorkshop()

async function makeUsedFolder(name: string): Promise<string> {
  const folder = openDataFolder(join(shop.folder, name))
  const store = openFileStore(folder.storePath)
  await store.commit(Array.from({ length: 200 }, (_, index) => entry(index + 1)))
  store.close()
  return folder.path
}

function entry(revision: number): Entry {
  const head = { kind: 'object', at: revision, object_type: 'items', id: 'i1', revision } as const
  return { head, body: JSON.stringify({ description: 'x'.repeat(500) }) }
}

const runUp = (name: string) =>
  shop.run('up', '--clock', 'manual', '--data', name, '--port', '0', '--bench-port', '0')

const DAMAGE: readonly (readonly [string, (path: string) => void])[] = [
  ['garbage', (path) => writeFileSync(path, 'not a database'.repeat(1_000))],
  ['cut in half', (path) => truncateSync(path, statSync(path).size / 2)],
  ['without its last entries', (path) => withDatabase(path, 'DELETE FROM history WHERE position > 150')],
]

function withDatabase(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = DELETE; ${sql}`)
  database.close()
}

test.each(DAMAGE)(
  'the command "up" rejects a damaged or foreign store (%s) with exit code 4 and changes nothing',
  async (what, change) => {
    const name = what.replaceAll(' ', '-')
    const path = join(await makeUsedFolder(name), 'store.sqlite')
    change(path)
    const before = readFileSync(path)

    const { code, stdout, stderr } = await runUp(name)

    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toMatch(/^hookbench: Cannot (read|open) store "[^\n]*[uU]se another --data folder\n$/)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(join(path, '..'))).not.toContain('store.sqlite-wal')
  },
)

async function mountUsedFolder(name: string, kilobytes: number): Promise<SmallDisk> {
  const from = await makeUsedFolder(`${name}-before`)
  const disk = mountSmallDisk(join(shop.folder, name), kilobytes)
  onTestFinished(() => disk.unmount())
  cpSync(from, disk.path, { recursive: true })
  return disk
}

function filesIn(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.name !== 'filler')
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'base64')] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

test.each(['read-only', 'full'])(
  'the command "up" rejects a data folder on a disk that is %s with exit code 2',
  { tags: 'small-disk' },
  async (state) => {
    const disk = await mountUsedFolder(state, 2_000)
    if (state === 'full') disk.fill()
    else disk.setReadOnly()
    const before = filesIn(disk.path)

    const { code, stdout, stderr } = await runUp(state)

    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(
      /^hookbench: Cannot use data folder "[^\n]*\. Fix this problem, or give another folder with --data\n$/,
    )
    const after = filesIn(disk.path).filter(([name]) => name !== 'lock.sqlite')
    expect(after).toEqual(before)
  },
)

test(
  'the command "up" rejects and removes a new data folder on a full disk',
  { tags: 'small-disk' },
  async () => {
    const disk = mountSmallDisk(join(shop.folder, 'small'), 500)
    onTestFinished(() => disk.unmount())
    disk.fill()

    const { code, stderr } = await runUp('small/data')

    expect([code, stderr]).toEqual([2, expect.stringMatching(/^hookbench: [^\n]*the disk is full[^\n]*\n$/)])
    expect(readdirSync(disk.path)).toEqual(['filler'])
  },
)

test('the command "up" removes the access rights of other users to the data folder and reports the removal', async () => {
  const folder = await makeUsedFolder('loose')
  mkdirSync(join(folder, 'ca'))
  writeFileSync(join(folder, 'token'), 'a-token-of-before')
  const loose = ['.', 'store.sqlite', 'token'].map((name) => join(folder, name))
  for (const path of loose) chmodSync(path, 0o755)

  const up = await shop.up('--data', 'loose')
  await up.end('SIGTERM')
  const { stderr } = await up.ended()

  expect(stderr).toMatch(
    /^hookbench: Other users had access to [^\n]*store\.sqlite[^\n]*token[^\n]*\. The sandbox removed their access\n$/,
  )
  expect(loose.map((path) => statSync(path).mode & 0o077)).toEqual([0, 0, 0])
})
