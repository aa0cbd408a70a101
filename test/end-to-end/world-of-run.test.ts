import { beforeAll, expect, test } from 'vitest'
import { runChecks } from '../../contracts/index.ts'
import { defaultSettings } from '../../sandbox/engine/core/settings.ts'
import { duringFile } from '../support/lifetimes.ts'
import { startWalk } from '../support/walk.ts'
import { addWorld, type WorldClient } from '../support/world-client.ts'

const OWN = { client_id: 'mine', client_secret: 'of-the-default-world' }
const credentials = { ...defaultSettings.credentials, ...OWN }
const walk = duringFile(() => startWalk({ settings: { ...defaultSettings, credentials } }))
let anna: WorldClient
beforeAll(async () => {
  anna = await addWorld(walk, { name: 'anna' })
  await anna.control('POST', '/objects/items', { name: 'Sofa' })
  await walk.bench('POST', '/objects/items', { name: 'Table' })
})

async function check(service: object): Promise<string | undefined> {
  const { results } = await runChecks({
    receiver: { url: walk.urlFor('webhooks', '{object_type}') },
    service: { attach: walk.sandbox.benchUrl, ...service },
    data: walk.folder,
    signatureSecret: 'a-secret-of-thirty-two-characters',
    checks: ['http/answers-in-time'],
  })
  return results[0]?.verdict
}

/** Returns the number of service calls recorded in the default world. */
const countCalls = async (): Promise<number> => (await walk.bench('GET', '/requests')).body.requests.length

test.each([
  ['its name', () => ({ token: walk.token, world: 'anna' })],
  ['its token', () => ({ token: anna.access.control_token })],
])('a check run uses the world selected by %s and the credentials of that world', async (_, service) => {
  const objects = async () => [
    (await anna.control('GET', '/objects/items')).body,
    (await walk.bench('GET', '/objects/items')).body,
  ]
  const [before, calls] = [await objects(), await countCalls()]

  expect(await check(service())).toBe('passed')
  expect(await objects()).toEqual(before)
  expect(await countCalls()).toBe(calls)
})

test('a check run without a named world uses the credentials of the default world', async () => {
  expect(await check({ token: walk.token })).toBe('passed')
})

test('a check run with credentials of another world is rejected before its start', async () => {
  const { client_id, client_secret } = (await addWorld(walk, { name: 'ben' })).access

  await expect(
    runChecks({
      receiver: { url: walk.urlFor('webhooks', '{object_type}') },
      service: { attach: walk.sandbox.benchUrl, token: walk.token, world: 'anna' },
      data: walk.folder,
      credentials: { client_id, client_secret },
    }),
  ).rejects.toThrow(/^Cannot call the service for world "anna" as client "ben-/)
})
