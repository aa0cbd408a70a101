import { beforeAll, expect, test } from 'vitest'
import { duringFile } from '../support/lifetimes.ts'
import { startWalk } from '../support/walk.ts'

const walk = duringFile(startWalk)

beforeAll(async () => {
  await walk.service('POST', '/webhooks', { url: walk.urlFor('webhooks', 'items'), object_type: 'items' })
})

const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? Reflect.get(error.cause, 'code') : error

test('the fault "reset" closes the connection of one call, and the next call is answered', async () => {
  const { body } = await walk.bench('POST', '/objects/items', {})
  await walk.bench('POST', '/faults', {
    on: 'api',
    kind: 'reset',
    times: 1,
    match: { operation: 'showItem' },
  })

  const cut = await walk.service('GET', `/items/${body.id}`).catch(causeOf)
  const next = await walk.service('GET', `/items/${body.id}`)
  const { body: page } = await walk.bench('GET', '/requests?operation=showItem')

  expect([cut, next.status]).toEqual(['ECONNRESET', 200])
  expect(page.requests).toMatchObject([
    { status: null, faults: [{ kind: 'reset' }] },
    { status: 200, faults: [] },
  ])
})

test('a hanging call ends when the client disconnects or the fault is removed', async () => {
  const { body: fault } = await walk.bench('POST', '/faults', {
    on: 'api',
    kind: 'hang',
    match: { path: '/users/nobody' },
  })
  const caller = new AbortController()
  const url = `${walk.sandbox.serviceUrl}/users/nobody`
  const left = fetch(url, { signal: caller.signal }).catch((error: unknown) => error)
  const cut = fetch(url).catch(causeOf)
  const waitsFor = (count: number) => ({
    settled: false,
    waiting_for: [{ what: 'held_by_fault', count }],
  })
  const look = async () => (await walk.bench('POST', '/settle', { timeout_ms: 0 })).body
  await expect.poll(look).toEqual(waitsFor(2))

  caller.abort()
  await left
  await expect.poll(look).toEqual(waitsFor(1))
  await walk.bench('DELETE', `/faults/${fault.id}`)

  expect(await cut).toBe('ECONNRESET')
  expect((await walk.bench('POST', '/settle', {})).body).toEqual({ settled: true })
})
