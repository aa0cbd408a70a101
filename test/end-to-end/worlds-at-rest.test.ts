import { expect, onTestFinished, test } from 'vitest'
import type { WorldList } from '../../spec/generated/control-types.ts'
import type { ServeOptions } from '../../sandbox/compose/serve-options.ts'
import { readAllButRecords, storedWorlds } from '../support/stores.ts'
import { duringTest } from '../support/lifetimes.ts'
import { startWalk, type Walk } from '../support/walk.ts'
import { addWorld, callAt, worldClient, type WorldClient } from '../support/world-client.ts'

const IDLE_MS = 150

const start = (options: Partial<ServeOptions> = {}) => duringTest(startWalk({ idleMs: IDLE_MS, ...options }))

async function isOpen(walk: Walk, name: string): Promise<boolean> {
  return (await walk.bench('GET', `/worlds/${name}`)).body.open
}

const untilClosed = (walk: Walk, name: string) =>
  expect.poll(() => isOpen(walk, name), { timeout: 20_000 }).toBe(false)

async function register(walk: Walk, world: WorldClient): Promise<void> {
  const url = walk.urlFor('webhooks', 'items')
  await world.service('POST', '/webhooks', { url, object_type: 'items' })
}

test('an unused world closes and later continues with its objects, calls, clock and ID sequence', async () => {
  const walk = await start()
  const worlds = [
    await addWorld(walk, { name: 'a', seed: 5, speed: 0 }),
    await addWorld(walk, { name: 'b', seed: 5, speed: 0 }),
  ]
  for (const world of worlds) {
    await world.control('POST', '/objects/items', {})
    await world.service('GET', '/items')
    await world.control('POST', '/clock/advance', { by: '3h' })
  }
  const look = async (world: WorldClient) => ({
    clock: (await world.control('GET', '/clock')).body,
    calls: (await world.control('GET', '/requests')).body.requests.map(
      ({ path, status }: { path: string; status: number }) => [path, status],
    ),
    items: (await world.control('GET', '/objects/items')).body.objects.length,
    id: (await world.control('POST', '/objects/items', {})).body.id,
  })
  const [a, b] = worlds
  if (!a || !b) throw new Error('There are two worlds')
  const before = await look(b)
  await untilClosed(walk, 'a')
  expect(await look(a)).toEqual(before)
  expect(await isOpen(walk, 'a')).toBe(true)
})

test('a world with an open event stream stays open', async () => {
  const walk = await start()
  const a = await addWorld(walk, { name: 'a' })
  const authorization = `Bearer ${a.access.control_token}`
  const stream = await fetch(`${walk.sandbox.benchUrl}/control/events`, { headers: { authorization } })
  const reader = stream.body?.getReader()
  const b = await addWorld(walk, { name: 'b' })
  await b.control('GET', '/clock')
  await untilClosed(walk, 'b')
  expect(await isOpen(walk, 'a')).toBe(true)
  await reader?.cancel()
  await untilClosed(walk, 'a')
})

test('a request that has only the client ID of a closed world does not open this world', async () => {
  const walk = await start()
  const a = await addWorld(walk, { name: 'a' })
  const { client_id, client_secret } = a.access
  const grant = async (secret: string) => {
    const body = { grant_type: 'client_credentials', client_id, client_secret: secret }
    return (await callAt(`${walk.sandbox.serviceUrl}/tokens`, { method: 'POST', body, headers: {} })).status
  }
  expect([await grant('wrong'), await isOpen(walk, 'a')]).toEqual([401, false])
  expect([await grant(client_secret), await isOpen(walk, 'a')]).toEqual([200, true])
})

test('a world can be removed despite a call in flight and an open event stream', async () => {
  const walk = await start({ graceMs: 100 })
  const a = await addWorld(walk, { name: 'a' })
  await register(walk, a)
  await a.control('POST', '/faults', { on: 'api', kind: 'hang' })
  await a.control('POST', '/objects/items', {})
  const hung = a.service('GET', '/items').then(
    ({ status }) => status,
    () => 'cut',
  )
  const authorization = `Bearer ${a.access.control_token}`
  const stream = await fetch(`${walk.sandbox.benchUrl}/control/events`, { headers: { authorization } })
  const rest = stream.text().catch(() => 'cut')
  await expect.poll(async () => (await a.control('GET', '/requests')).body.requests.length).toBe(3)

  expect((await walk.bench('DELETE', '/worlds/a')).status).toBe(200)
  expect(storedWorlds(walk)).toEqual(['default'])
  await Promise.all([hung, rest])
  expect((await walk.bench('GET', '/health')).body.ready).toBe(true)
})

test('the next process leaves idle worlds closed and sends notifications that are due', async () => {
  const walk = await start({ idleMs: 60_000 })
  walk.answer(() => 503)
  const [a, b] = [
    await addWorld(walk, { name: 'a', speed: 300 }),
    await addWorld(walk, { name: 'b', seed: 1, speed: 0 }),
  ]
  await register(walk, a)
  await a.control('POST', '/objects/items', {})
  await b.service('GET', '/items')
  await expect.poll(() => walk.received.length).toBe(1)
  await walk.restart()
  expect(await isOpen(walk, 'b')).toBe(false)
  await expect.poll(() => walk.received.length, { timeout: 20_000 }).toBeGreaterThan(1)
  const again = worldClient(walk.sandbox, b.access)
  expect((await again.control('GET', '/requests')).body.requests).toHaveLength(2)
})

test('the store contains the credentials of a world only in the world record', async () => {
  const walk = await start()
  const a = await addWorld(walk, { name: 'a' })
  await register(walk, a)
  await a.control('POST', '/objects/items', {})
  const snapshot = JSON.stringify((await a.control('GET', '/snapshot')).body)
  const calls = JSON.stringify((await a.control('GET', '/requests')).body)
  await untilClosed(walk, 'a')
  const stored = readAllButRecords(walk)
  const { control_token, client_secret, api_token } = a.access
  const secrets = [control_token, client_secret, api_token, await a.accessToken()]
  // The stored file also contains the calls of the closed world.
  expect(stored).toContain(JSON.stringify('"path":"/webhooks"').slice(1, -1))
  expect(secrets.filter((secret) => [snapshot, calls, stored].some((text) => text.includes(secret)))).toEqual(
    [],
  )
})

test('public sandboxes require unguessable secrets and the token for every world', async () => {
  const token = 'c1f0a7d2b94e6835c1f0a7d2b94e6835'
  const walk = await start({ listenAt: { address: '127.0.0.1', allowedHosts: [] }, benchToken: token })
  onTestFinished(() => {
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  })
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  const headers = { authorization: `Bearer ${token}` }
  const bench = `${walk.sandbox.benchUrl}/control`
  const post = (body: unknown) => callAt(`${bench}/worlds`, { method: 'POST', body, headers })
  const weak = await post({ name: 'a', credentials: { client_secret: 'short' } })
  const same = await post({ name: 'a', credentials: { api_token: token } })
  const made = await post({ name: 'a' })
  const health = (sent: Readonly<Record<string, string>>) =>
    callAt(`${bench}/health`, { method: 'GET', headers: sent })
  const own = { authorization: `Bearer ${made.body.access.control_token}` }
  expect([weak.status, same.status, made.status]).toEqual([422, 422, 201])
  expect([(await health({})).status, (await health({ 'hookbench-world': 'a' })).status]).toEqual([401, 401])
  expect((await health(own)).status).toBe(200)
})

test('the least recently used worlds close early when many worlds are open', async () => {
  const walk = await start({ idleMs: 600_000 })
  const openNames = async (): Promise<string[]> => {
    const { worlds } = (await walk.bench('GET', '/worlds')).body as WorldList
    return worlds.filter(({ open }) => open).map(({ name }) => name)
  }
  const first = await addWorld(walk, { name: 'first' })
  const { id } = (await first.control('POST', '/objects/items', {})).body
  for (let index = 0; index < 40; index++)
    await (await addWorld(walk, { name: `w-${index}` })).control('GET', '/clock')

  let index = 40
  await expect
    .poll(
      async () => {
        await walk.bench('GET', '/clock')
        await (await addWorld(walk, { name: `w-${index++}` })).control('GET', '/clock')
        return openNames()
      },
      { timeout: 20_000 },
    )
    .not.toContain('first')

  const open = await openNames()
  expect(open).toContain(`w-${index - 1}`)
  expect(open.length).toBeGreaterThanOrEqual(32)
  expect((await first.control('GET', `/objects/items/${id}`)).status).toBe(200)
})
