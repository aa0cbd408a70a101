import { execFileSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { findControlAddress } from '../../sandbox/client/control-address.ts'
import { createControlClient } from '../../sandbox/client/control-client.ts'
import type { Up } from '../support/program.ts'
import { useWorkshop } from '../support/workshop.ts'

const shop = useWorkshop()
let up: Up

beforeAll(async () => {
  up = await shop.up('--memory')
})

async function worlds(): Promise<readonly string[]> {
  const perform = createControlClient(findControlAddress(join(shop.folder, '.hookbench'), {}))
  return (await perform('listWorlds')).worlds.map(({ name }) => name)
}

async function startAdding(name: string) {
  const from = join(shop.folder, `${name}.json`)
  execFileSync('mkfifo', [from])
  const pipe = openSync(from, 'r+')
  let isOpen = true
  const endFile = () => {
    if (isOpen) closeSync(pipe)
    isOpen = false
  }
  onTestFinished(endFile)
  writeSync(pipe, '{"format":3,"entries":[')
  const adding = shop.start('worlds', 'add', name, '--from', from)
  const said = adding.line(/never/).catch((error: Error) => error.message)
  await expect.poll(worlds).toContain(name)
  return { adding, said, endFile }
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'the command "worlds add" removes the new world when %s interrupts its snapshot',
  async (signal) => {
    const { adding, said } = await startAdding(`by-${signal.toLowerCase()}`)

    const code = await adding.end(signal)

    expect([code, await said]).toEqual([
      null,
      expect.stringContaining(
        `hookbench: Stopped: the command removed the incomplete world "by-${signal.toLowerCase()}"\n`,
      ),
    ])
    expect(await worlds()).toEqual(['default'])
  },
)

test('the command "worlds add" names the remove command when it fails and cannot remove the new world', async () => {
  const { adding, said, endFile } = await startAdding('left')
  await up.end('SIGKILL')
  endFile()

  const code = await adding.end()

  expect([code, await said]).toEqual([
    3,
    expect.stringMatching(
      /hookbench: World "left" may still exist, without the content of the snapshot. Remove it with "npx hookbench worlds remove left"\nhookbench: Cannot/,
    ),
  ])
})
