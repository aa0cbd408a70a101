import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startWalk } from '../support/walk.ts'

test('a sandbox closes immediately despite event readers and hanging calls', async () => {
  // With a grace period of one hour, a close that waits for pending work would exceed the test timeout.
  const walk = await startWalk({ graceMs: 3_600_000 })
  const headers = { authorization: 'Bearer a-token-of-the-run' }
  const [following, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  request(`${walk.sandbox.benchUrl}/control/events`, { headers }, (response) => {
    response.on('end', ended.resolve).resume()
    following.resolve()
  }).end()
  await following.promise
  await walk.bench('POST', '/faults', { on: 'api', kind: 'hang' })
  const hanging = fetch(`${walk.sandbox.serviceUrl}/items/x`).catch((error: unknown) => error)
  await expect.poll(async () => (await walk.bench('GET', '/faults')).body.faults[0].applied).toBe(1)

  await walk.close()

  expect([await ended.promise, await hanging]).toEqual([undefined, expect.any(TypeError)])
})
