import { beforeAll, expect, test } from 'vitest'
import { addWorld, eventReader, type WorldClient } from '../support/world-client.ts'
import { duringFile } from '../support/lifetimes.ts'
import { startWalk } from '../support/walk.ts'

type World = Pick<WorldClient, 'control' | 'service'> & { readonly token: string }

const walk = duringFile(startWalk)
let [a, b, first]: World[] = []
beforeAll(async () => {
  ;[a, b] = [await add('a', 1), await add('b', 2)]
  first = { service: walk.service, control: walk.bench, token: walk.token }
})

async function add(name: string, seed: number): Promise<World> {
  const world = await addWorld(walk, { name, speed: 0, seed })
  return { ...world, token: world.access.control_token }
}

const readAll = (path: string) =>
  Promise.all([a, b, first].map(async (world) => (await world?.control('GET', path))?.body))

type Change = (world: World) => Promise<{ readonly status: number }>

const toControl =
  (method: string, path: string, body?: unknown): Change =>
  ({ control }) =>
    control(method, path, body)

const CHANGES: readonly (readonly [path: string, change: Change])[] = [
  ['/objects/items', toControl('POST', '/objects/items', { name: 'Sofa' })],
  ['/requests', ({ service }) => service('GET', '/items/none')],
  [
    '/registrations',
    ({ service }) =>
      service('POST', '/webhooks', { url: walk.urlFor('webhooks', 'items'), object_type: 'items' }),
  ],
  ['/jobs', toControl('POST', '/objects/items', { name: 'Table' })],
  ['/timeline', toControl('POST', '/objects/items', { name: 'Chair' })],
  ['/payments', toControl('POST', '/payments', { kind: 'bpay-payin' })],
  [
    '/next-outcomes',
    toControl('PUT', '/next-outcomes', { kind: 'direct-debit-payin', outcome: 'failed_direct_debit' }),
  ],
  [
    '/snapshot/secrets',
    ({ service }) => service('POST', '/webhooks/secret_key', { secret_key: 'x'.repeat(40) }),
  ],
  ['/deliveries', toControl('POST', '/deliveries', { url: 'https://localhost:1/x', body: {} })],
  ['/faults', toControl('POST', '/faults', { on: 'delivery', kind: 'delay', delay_ms: 1 })],
  ['/readings', toControl('PATCH', '/readings', { 'retry-window': 'five-attempts' })],
  ['/clock', toControl('POST', '/clock/advance', { by: '1h' })],
  ['/clock', toControl('PATCH', '/clock', { mode: 'compressed', speed: 60 })],
  ['/objects/items', toControl('POST', '/reset')],
]

test.each(CHANGES)('a change to %s in one world changes no other world', async (path, change) => {
  if (!a) throw new Error('It was not added')
  const before = await readAll(path)

  const { status } = await change(a)
  const [own, ...others] = await readAll(path)

  expect([200, 201, 404]).toContain(status)
  expect(own).not.toEqual(before[0])
  expect(others).toEqual(before.slice(1))
})

test('a change in one world emits an event only in that world', async () => {
  const worlds = [a, b, first].flatMap((world) => world ?? [])
  const readers = await Promise.all(
    worlds.map(async ({ token }) => {
      const headers = { authorization: `Bearer ${token}` }
      return eventReader(await fetch(`${walk.sandbox.benchUrl}/control/events`, { headers }))
    }),
  )
  const addItem = async (world: World | undefined) =>
    (await world?.control('POST', '/objects/items', {}))?.body.id
  const id = await addItem(a)
  const last = await Promise.all(worlds.map(addItem))

  const heard = await Promise.all(
    readers.map(async (reader, index) => {
      const ids: unknown[] = []
      while (!ids.includes(last[index])) ids.push(...(await reader.take(1)).map(({ data }) => data['id']))
      await reader.cancel()
      return ids
    }),
  )

  expect(heard.map((ids) => ids.includes(id))).toEqual([true, false, false])
})

test('random draws in one world do not affect the seed of another world', async () => {
  const [c, d] = [await add('c', 7), await add('d', 7)]
  const ids = async ({ control }: World) => (await control('POST', '/objects/items', {})).body.id
  const drawn = [await ids(c), await ids(c), await ids(c)]

  expect([await ids(d), await ids(d)]).toEqual(drawn.slice(0, 2))
})
