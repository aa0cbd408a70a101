import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openWorldFolders } from '../../../sandbox/adapters/world-folders.ts'
import { createMemoryWorlds } from '../../../sandbox/engine/state/memory-worlds.ts'
import {
  WorldGoneError,
  type WorldDirectory,
  type WorldKey,
} from '../../../sandbox/engine/state/world-directory.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { worldPause, worldRecord } from '../../support/world-records.ts'

const DIRECTORIES: readonly (readonly [name: string, open: () => WorldDirectory])[] = [
  ['of folders', () => openWorldFolders(join(temporaryFolder(), 'worlds'))],
  ['in memory', createMemoryWorlds],
]
const ENTRY = { head: { kind: 'clock', at: 1 }, body: '' } as const

describe.each(DIRECTORIES)('a directory of worlds %s', (_, open) => {
  test('finds a world by all that names it, and by nothing else', async () => {
    const directory = open()
    expect(directory.isEmpty).toBe(true)
    await directory.add(worldRecord('a'))
    await directory.add(worldRecord('b'))
    const found = async (key: WorldKey, value: string) => (await directory.find(key, value))?.name
    expect(directory.isEmpty).toBe(false)
    expect(await found('name', 'a')).toBe('a')
    expect(await found('id', 'id-of-b')).toBe('b')
    expect(await found('clientId', 'client-a')).toBe('a')
    expect(await found('user', 'b@example.test:token-b')).toBe('b')
    expect(await found('controlToken', 'control-b')).toBe('b')
    expect(await found('controlToken', 'client-a')).toBeUndefined()
    expect((await directory.list()).map(({ name }) => name)).toEqual(['a', 'b'])
  })

  test.each([
    ['name', { name: 'a' }],
    ['clientId', { credentials: { ...worldRecord('b').credentials, client_id: 'client-a' } }],
    [
      'user',
      { credentials: { ...worldRecord('b').credentials, email: 'a@example.test', api_token: 'token-a' } },
    ],
  ] as const)('refuses a second world with the same %s', async (key, fields) => {
    const directory = open()
    await directory.add(worldRecord('a'))
    await expect(directory.add(worldRecord('b', fields))).rejects.toMatchObject({ key })
    expect(await directory.list()).toHaveLength(1)
    await directory.add(worldRecord('b'))
  })

  test('has nothing of a world that could not be filled, and nobody finds it before it is', async () => {
    const directory = open()
    const seen: unknown[] = []
    const failing = directory.add(worldRecord('a'), async (log) => {
      log.append([ENTRY])
      log.close()
      seen.push(await directory.find('name', 'a'))
      throw new Error('it broke off')
    })
    await expect(failing).rejects.toThrow('it broke off')
    expect([seen, directory.isEmpty]).toEqual([[undefined], true])
    await directory.add(worldRecord('a'))
    const log = await directory.openLog(worldRecord('a'))
    expect(log.length).toBe(0)
    log.close()
  })

  test('keeps what a world was filled with, and how it stands, once', async () => {
    const directory = open()
    const [world, pause] = [worldRecord('a'), worldPause({ wakeAt: 5, chance: 7 })]
    await directory.add(world, async (log) => {
      log.append([ENTRY])
      log.close()
      return pause
    })
    expect(directory.wakeAt(world)).toBe(5)
    expect(await directory.takePause(world)).toEqual(pause)
    expect(await directory.takePause(world)).toBeUndefined()
    const log = await directory.openLog(world)
    expect(log.read(1)).toEqual(ENTRY)
    log.close()
  })

  test('forgets a world at once, and removes it when it is closed', async () => {
    const directory = open()
    const world = worldRecord('a')
    await directory.add(world)
    const closing = Promise.withResolvers<void>()
    const removed = directory.remove(world.id, () => closing.promise)
    expect(await directory.find('clientId', 'client-a')).toBeUndefined()
    expect(() => directory.openLog(world)).toThrow(WorldGoneError)
    await expect(directory.add(worldRecord('a', { id: 'other' }))).rejects.toMatchObject({ key: 'name' })
    closing.resolve()
    await removed
    await directory.add(worldRecord('a', { id: 'other' }))
    await directory.remove('unknown', async () => {})
  })

  test('has a world still that could not be closed', async () => {
    const directory = open()
    const world = worldRecord('a')
    await directory.add(world)
    const failing = directory.remove(world.id, () => Promise.reject(new Error('It cannot')))
    await expect(failing).rejects.toThrow('It cannot')
    expect(await directory.find('name', 'a')).toEqual(world)
    await directory.remove(world.id, async () => {})
    expect(directory.isEmpty).toBe(true)
  })
})

test('worlds in folders outlive the process; one that was used and not closed cleanly is to be opened at once', async () => {
  const root = join(temporaryFolder(), 'worlds')
  const [unused, used, closed] = ['a', 'b', 'c'].map((name) =>
    worldRecord(name, { seed: 3, speed: 0, expiresAt: 9_000 }),
  )
  const directory = openWorldFolders(root)
  for (const world of [unused, used, closed]) if (world) await directory.add(world)
  for (const world of [used, closed]) {
    if (!world) continue
    await directory.takePause(world)
    const log = await directory.openLog(world)
    log.close()
  }
  if (closed) await directory.keepPause(closed, worldPause({ wakeAt: 77 }))

  const again = openWorldFolders(root)
  const worlds = await again.list()
  expect(worlds).toEqual([unused, used, closed])
  expect(worlds.map(again.wakeAt)).toEqual([null, 0, 77])
})

test('a start removes what was not whole when the process ended, and refuses what it cannot read', () => {
  const root = join(temporaryFolder(), 'worlds')
  for (const name of ['.new-1', '.removed-2']) mkdirSync(join(root, name), { recursive: true })
  expect(openWorldFolders(root).isEmpty).toBe(true)
  expect(readdirSync(root)).toEqual([])
  mkdirSync(join(root, 'a'))
  expect(() => openWorldFolders(root)).toThrow(
    `Cannot use the world in "${join(root, 'a')}": there is no such file`,
  )
  writeFileSync(join(root, 'a', 'world.json'), '{"format": 2}')
  expect(() => openWorldFolders(root)).toThrow('its format is 2')
})

test('only its owner can read a world of a folder, and nothing is left of one that was removed', async () => {
  const root = join(temporaryFolder(), 'worlds')
  const directory = openWorldFolders(root)
  const world = worldRecord('a')
  await directory.add(world)
  const log = await directory.openLog(world)
  log.close()
  await directory.keepPause(world, worldPause())
  const modes = readdirSync(join(root, 'a')).map((name) => statSync(join(root, 'a', name)).mode & 0o777)
  expect([statSync(root).mode & 0o777, statSync(join(root, 'a')).mode & 0o777]).toEqual([0o700, 0o700])
  expect(modes).toEqual(modes.map(() => 0o600))
  expect(readFileSync(join(root, 'a', 'world.json'), 'utf8')).toContain('"control_token": "control-a"')
  await directory.remove(world.id, async () => {})
  expect([readdirSync(root), existsSync(join(root, 'a'))]).toEqual([[], false])
})
