import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSnapshot, writeSnapshot } from '../../sandbox/client/snapshots.ts'
import { writeWhole } from '../../sandbox/cli/snapshot-command.ts'
import { longestTurnMs } from '../support/longest-turn.ts'
import { openStoredSandbox, type StoredSandbox } from '../support/stored-sandbox.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookbench-large-'))
const file = join(folder, 'world.json')

afterAll(() => rmSync(folder, { recursive: true }))

async function openLarge(objects: number): Promise<StoredSandbox> {
  const sandbox = await openStoredSandbox({ benchToken: 'a-token' })
  await sandbox.perform('createObject', { path: { type: 'items' }, body: { description: 'x'.repeat(4_000) } })
  const [made] = [...sandbox.store.entries()].filter(({ head }) => head.kind === 'object').slice(-1)
  if (made?.head.kind !== 'object') throw new Error('There is no object')
  const { head, body } = made
  for (let count = 0; count < objects; count += 500) {
    const entries = Array.from({ length: 500 }, () => {
      const id = crypto.randomUUID()
      return { head: { ...head, id, aliases: [] }, body: body.replaceAll(head.id, id) }
    })
    await sandbox.store.commit(entries, 'process')
  }
  return sandbox
}

const megabytes = () => process.memoryUsage().rss / 1e6

test('saving and restoring a 40 MB snapshot does not block the sandbox and uses little memory', async () => {
  const sandbox = await openLarge(9_000)
  const address = { url: sandbox.benchUrl, token: 'a-token' }
  const count = sandbox.store.length
  const before = megabytes()

  const out = await longestTurnMs(() => writeWhole(file, readSnapshot(address)))
  await sandbox.perform('resetSandbox')
  const back = await longestTurnMs(() => writeSnapshot(address, createReadStream(file)))
  const grown = megabytes() - before
  const size = statSync(file).size
  const restored = sandbox.store.length
  await sandbox.close()

  expect([size > 40e6, restored, sandbox.errors]).toEqual([true, count + 1, []])
  expect(Math.max(out, back)).toBeLessThan(100)
  // Holding a snapshot both as text and as objects would take 200 MB of memory.
  expect(grown).toBeLessThan(120)
})
