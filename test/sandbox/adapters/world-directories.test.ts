import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStoreDatabase } from '../../../sandbox/adapters/sqlite/store-database.ts'
import { WorldGoneError, type WorldKey } from '../../../sandbox/engine/state/world-record.ts'
import type { WorldDirectory } from '../../../sandbox/engine/state/world-directory.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { worldPause, worldRecord } from '../../support/control-records.ts'

const open = (): WorldDirectory =>
  openStoreDatabase(join(temporaryFolder(), 'store.sqlite'), { soon: queueMicrotask }).directory
const ENTRY = { head: { kind: 'clock', at: 1 }, body: '' } as const

test('a world directory finds a world by each of its keys', async () => {
  const directory = open()
  expect(directory.isEmpty).toBe(true)
  await directory.add(worldRecord('a'))
  await directory.add(worldRecord('b'))
  const found = async (key: WorldKey, value: string) => directory.find(key, value)?.name
  expect(directory.isEmpty).toBe(false)
  expect(await found('name', 'a')).toBe('a')
  expect(await found('id', 'id-of-b')).toBe('b')
  expect(await found('clientId', 'client-a')).toBe('a')
  expect(await found('user', 'b@example.test:token-b')).toBe('b')
  expect(await found('controlToken', 'control-b')).toBe('b')
  expect(await found('controlToken', 'client-a')).toBeUndefined()
  expect(directory.list().map(({ name }) => name)).toEqual(['a', 'b'])
})

test.each([
  ['name', { name: 'a' }],
  ['clientId', { credentials: { ...worldRecord('b').credentials, client_id: 'client-a' } }],
  [
    'user',
    { credentials: { ...worldRecord('b').credentials, email: 'a@example.test', api_token: 'token-a' } },
  ],
] as const)('a world directory rejects a second world with the same %s', async (key, fields) => {
  const directory = open()
  await directory.add(worldRecord('a'))
  await expect(directory.add(worldRecord('b', fields))).rejects.toMatchObject({ key })
  expect(directory.list()).toHaveLength(1)
  await directory.add(worldRecord('b'))
})

test('a world directory lists a world after it is filled, and removes the world when the filling fails', async () => {
  const directory = open()
  const seen: unknown[] = []
  const failing = directory.add(worldRecord('a'), async (store) => {
    await store.commit([ENTRY])
    seen.push(directory.find('name', 'a'))
    throw new Error('it broke off')
  })
  await expect(failing).rejects.toThrow('it broke off')
  expect([seen, directory.isEmpty]).toEqual([[undefined], true])
  await directory.add(worldRecord('a'))
  const store = directory.openStore(worldRecord('a'))
  expect(store.length).toBe(0)
  store.close()
})

test('a world directory returns the saved pause of a world only once and keeps the world contents', async () => {
  const directory = open()
  const [world, pause] = [worldRecord('a'), worldPause({ wakeAt: 5, chance: 7 })]
  await directory.add(world, async (store) => {
    await store.commit([ENTRY])
    return pause
  })
  expect(directory.wakeAt(world)).toBe(5)
  expect(directory.takePause(world)).toEqual(pause)
  expect(directory.takePause(world)).toBeUndefined()
  const store = directory.openStore(world)
  expect([...store.entries()]).toEqual([ENTRY])
  store.close()
})

test('a world directory hides a removed world at once and frees its name after the world is closed', async () => {
  const directory = open()
  const world = worldRecord('a')
  await directory.add(world)
  const closing = Promise.withResolvers<void>()
  const removed = directory.remove(world.id, () => closing.promise)
  expect(directory.find('clientId', 'client-a')).toBeUndefined()
  expect(() => directory.openStore(world)).toThrow(WorldGoneError)
  await expect(directory.add(worldRecord('a', { id: 'other' }))).rejects.toMatchObject({ key: 'name' })
  closing.resolve()
  await removed
  await directory.add(worldRecord('a', { id: 'other' }))
  await directory.remove('unknown', async () => {})
})

test('a world directory keeps a world that cannot be closed', async () => {
  const directory = open()
  const world = worldRecord('a')
  await directory.add(world)
  const failing = directory.remove(world.id, () => Promise.reject(new Error('It cannot')))
  await expect(failing).rejects.toThrow('It cannot')
  expect(directory.find('name', 'a')).toEqual(world)
  await directory.remove(world.id, async () => {})
  expect(directory.isEmpty).toBe(true)
})

test('worlds in a file survive a restart, and a world that was not closed cleanly opens at once', async () => {
  const path = join(temporaryFolder(), 'store.sqlite')
  const [unused, used, closed] = ['a', 'b', 'c'].map((name) =>
    worldRecord(name, { seed: 3, speed: 0, expiresAt: 9_000 }),
  )
  const database = openStoreDatabase(path, { soon: queueMicrotask })
  const { directory } = database
  for (const world of [unused, used, closed]) if (world) await directory.add(world)
  for (const world of [used, closed]) {
    if (!world) continue
    directory.takePause(world)
    const store = directory.openStore(world)
    await store.commit([ENTRY])
    store.close()
  }
  if (closed) directory.keepPause(closed, worldPause({ wakeAt: 77 }))
  database.close()

  const again = openStoreDatabase(path, { soon: queueMicrotask })
  const worlds = again.directory.list()
  expect(worlds).toEqual([unused, used, closed])
  expect(worlds.map(again.directory.wakeAt)).toEqual([null, 0, 77])
  again.close()
})
