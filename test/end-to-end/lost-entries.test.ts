import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useWorkshop } from '../support/workshop.ts'

const shop = useWorkshop()

/** Kills a sandbox with acknowledged items in two worlds. Returns the path of the store. */
async function killSandbox(name: string): Promise<string> {
  const up = await shop.up('--clock', 'manual', '--data', name)
  await shop.run('worlds', 'add', 'anna', '--data', name)
  for (const world of ['default', 'anna'])
    await shop.run('create', 'items', 'name=Sofa', '--world', world, '--data', name)
  await up.end('SIGKILL')
  return join(shop.folder, name, 'store.sqlite')
}

const runUp = (name: string, ...more: readonly string[]) =>
  shop.run('up', '--data', name, '--port', '0', '--bench-port', '0', ...more)

async function itemsIn(data: string, ...more: readonly string[]): Promise<number> {
  const args = ['objects', 'items', '--data', data, ...more]
  const { objects } = await shop.json<{ objects: readonly unknown[] }>(...args)
  return objects.length
}

test('the command "up" exits with 4, but "up --accept-loss" starts, when the -wal file of the store is deleted', async () => {
  const name = 'killed'
  rmSync(`${await killSandbox(name)}-wal`)

  const refused = await runUp(name)
  const doctor = await shop.run('doctor', '--store', '--data', name)
  const accepting = await shop.up('--clock', 'manual', '--accept-loss', '--data', name)
  const items = await itemsIn(name)
  await accepting.end('SIGTERM')
  const { stderr } = await accepting.ended()
  const again = await shop.up('--clock', 'manual', '--data', name)
  await again.end('SIGTERM')

  const lost = /(\d+) entries were written and synced, but only 0 remain/
  expect([refused.code, refused.stdout, doctor.code, items]).toEqual([4, '', 4, 0])
  expect(refused.stderr).toMatch(
    /^hookbench: Cannot open store "[^"]*": [^\n]*\. Restore the files of the store from a copy\. Or start with --accept-loss, [^\n]*\n$/,
  )
  for (const text of [refused.stderr, doctor.stdout, stderr]) expect(text).toMatch(lost)
  expect((await again.ended()).stderr).toBe('')
})

test('the command "up" rejects --accept-loss when no store exists', async () => {
  const { code, stderr } = await runUp('none', '--accept-loss', '--memory')

  expect([code, stderr]).toEqual([2, expect.stringContaining('omit --accept-loss, or --memory')])
})
