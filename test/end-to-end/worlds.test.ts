import { expect, test } from 'vitest'
import { countRowsOfNoWorld, storedWorlds } from '../support/stores.ts'
import { duringTest } from '../support/lifetimes.ts'
import { startWalk, type Walk } from '../support/walk.ts'
import { addWorld, callAt, worldClient, type WorldClient } from '../support/world-client.ts'

const start = () => duringTest(startWalk())

const getIn = (walk: Walk, world: string, path: string) =>
  callAt(`${walk.sandbox.benchUrl}/control${path}`, {
    method: 'GET',
    headers: { authorization: `Bearer ${walk.token}`, 'hookbench-world': world },
  })

const atService = (walk: Walk, path: string, authorization: string) =>
  callAt(`${walk.sandbox.serviceUrl}${path}`, { method: 'GET', headers: { authorization } })

async function addItem(world: WorldClient, fields: object = {}): Promise<string> {
  const { body } = await world.control('POST', '/objects/items', fields)
  return body.id
}

test('the default world handles and records calls that cannot be assigned to another world', async () => {
  const walk = await start()
  const a = await addWorld(walk, { name: 'a' })
  // Opens world `a`, because a caller without a valid token cannot open a closed world.
  await a.control('GET', '/clock')
  const body = { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 's' }
  const refused = await callAt(`${walk.sandbox.serviceUrl}/tokens`, { method: 'POST', body, headers: {} })
  const unread = await fetch(`${walk.sandbox.serviceUrl}/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: a.access.client_id, client_secret: 'x'.repeat(2 ** 21) }),
  })
  const wrong = { ...body, client_id: a.access.client_id }
  const proven = await callAt(`${walk.sandbox.serviceUrl}/tokens`, {
    method: 'POST',
    body: wrong,
    headers: {},
  })
  expect([refused.status, unread.status, proven.status]).toEqual([401, 413, 401])
  expect((await walk.bench('GET', '/requests')).body.requests).toHaveLength(2)
  expect((await a.control('GET', '/requests')).body.requests).toHaveLength(1)
})

test('an access token works only in its world and stops working when the world is removed', async () => {
  const walk = await start()
  const a = await addWorld(walk, { name: 'a', credentials: { client_id: 'c', client_secret: 's' } })
  const bearer = `Bearer ${await a.accessToken()}`
  const id = await addItem(a)
  expect((await atService(walk, `/items/${id}`, bearer)).status).toBe(200)
  expect((await walk.bench('DELETE', '/worlds/a')).body).toMatchObject({ name: 'a', client_id: 'c' })
  expect((await atService(walk, `/items/${id}`, bearer)).status).toBe(401)
  expect((await a.control('GET', '/clock')).status).toBe(401)

  const again = await addWorld(walk, { name: 'a', credentials: { client_id: 'c', client_secret: 's' } })
  expect((await atService(walk, `/items/${id}`, bearer)).status).toBe(401)
  expect((await again.control('GET', '/objects/items')).body.objects).toEqual([])
})

test('a control token works only in its world and cannot add or remove worlds', async () => {
  const walk = await start()
  const [a, b] = [await addWorld(walk, { name: 'a' }), await addWorld(walk, { name: 'b' })]
  const withHeader = (world: string) =>
    callAt(`${walk.sandbox.benchUrl}/control/clock`, {
      method: 'GET',
      headers: { authorization: `Bearer ${a.access.control_token}`, 'hookbench-world': world },
    })
  expect([(await withHeader('a')).status, (await withHeader('b')).status]).toEqual([200, 403])
  expect([(await withHeader('default')).status, (await withHeader('none')).status]).toEqual([403, 403])
  expect((await a.control('GET', '/worlds')).body.worlds).toMatchObject([{ name: 'a' }])
  expect((await a.control('GET', '/worlds/a')).body.access).toEqual(a.access)
  const refused = [
    await a.control('GET', '/worlds/b'),
    await a.control('GET', '/worlds/none'),
    await a.control('POST', '/worlds', { name: 'c' }),
    await a.control('POST', '/worlds/a/copy', { name: 'c' }),
    await a.control('DELETE', '/worlds/b'),
    await a.control('DELETE', '/worlds/a'),
  ]
  expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(
    refused.map(() => [403, 'other_world']),
  )
  expect((await b.control('GET', '/clock')).status).toBe(200)
})

test('the root token opens every world by name, and other tokens reveal no names', async () => {
  const walk = await start()
  const a = await addWorld(walk, { name: 'a' })
  await addItem(a)
  expect((await getIn(walk, 'a', '/objects/items')).body.objects).toHaveLength(1)
  expect((await getIn(walk, 'default', '/objects/items')).body.objects).toHaveLength(0)
  const unknown = await getIn(walk, 'b', '/clock')
  expect([unknown.status, unknown.body.error.code, unknown.body.error.command]).toEqual([
    404,
    'unknown_world',
    'worlds',
  ])
  const strange = { authorization: 'Bearer wrong', 'hookbench-world': 'b' }
  expect(
    (await callAt(`${walk.sandbox.benchUrl}/control/clock`, { method: 'GET', headers: strange })).status,
  ).toBe(401)
  const health = { method: 'GET', headers: { 'hookbench-world': 'b' } }
  expect((await callAt(`${walk.sandbox.benchUrl}/control/health`, health)).status).toBe(200)
})

test('the names and credentials of worlds are unique', async () => {
  const walk = await start()
  await addWorld(walk, { name: 'a', credentials: { client_id: 'c', email: 'e', api_token: 't' } })
  const codes = async (request: object) => {
    const { status, body } = await walk.bench('POST', '/worlds', request)
    return [status, body.error?.code]
  }
  expect(await codes({ name: 'a' })).toEqual([409, 'world_taken'])
  expect(await codes({ name: 'default' })).toEqual([409, 'world_taken'])
  expect(await codes({ name: 'b', credentials: { client_id: 'c' } })).toEqual([409, 'client_id_taken'])
  expect(await codes({ name: 'b', credentials: { client_id: 'sandbox' } })).toEqual([409, 'client_id_taken'])
  expect(await codes({ name: 'b', credentials: { email: 'e', api_token: 't' } })).toEqual([409, 'user_taken'])
  expect(await codes({ name: 'b', credentials: { email: 'e', api_token: 'u' } })).toEqual([201, undefined])
  for (const name of ['', '-a', 'a-', 'A', '.', '..', 'a/b', 'a'.repeat(41)])
    expect(await codes({ name })).toEqual([422, 'invalid'])
  expect((await walk.bench('DELETE', '/worlds/default')).body.error.code).toBe('default_world')
  expect((await walk.bench('DELETE', '/worlds/none')).status).toBe(404)
})

test('a removed world and a failed new world leave no data in the store', async () => {
  const walk = await start()
  const a = await addWorld(walk, { name: 'a' })
  await addItem(a)
  expect(storedWorlds(walk)).toEqual(['a', 'default'])
  await walk.bench('DELETE', '/worlds/a')
  await walk.bench('POST', '/worlds/default/copy', { name: 'default' })
  expect(storedWorlds(walk)).toEqual(['default'])
  await expect.poll(() => countRowsOfNoWorld(walk)).toBe(0)
  await walk.restart()
  expect(storedWorlds(walk)).toEqual(['default'])
})

test('a copied world starts with the contents of the original world and new credentials', async () => {
  const walk = await start()
  const a = await addWorld(walk, { name: 'a', speed: 0 })
  const id = await addItem(a)
  const { status, body } = await walk.bench('POST', '/worlds/a/copy', { name: 'b' })
  const b = worldClient(walk.sandbox, body.access)
  expect(status).toBe(201)
  expect(b.access.client_id).not.toBe(a.access.client_id)
  expect((await b.service('GET', `/items/${id}`)).status).toBe(200)
  expect((await b.control('GET', '/clock')).body).toEqual((await a.control('GET', '/clock')).body)
  await addItem(b)
  const counts = [a, b].map(
    async (world) => (await world.control('GET', '/objects/items')).body.objects.length,
  )
  expect(await Promise.all(counts)).toEqual([1, 2])
})
