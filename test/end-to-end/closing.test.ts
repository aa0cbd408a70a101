import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startWalk } from '../support/walk.ts'

test('a sandbox closes at once, whoever follows its events or waits for a call that a fault holds', async () => {
  const walk = await startWalk()
  const headers = { authorization: 'Bearer a-token-of-the-run' }
  const [following, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  request(`${walk.sandbox.benchUrl}/control/events`, { headers }, (response) => {
    response.on('end', ended.resolve).resume()
    following.resolve()
  }).end()
  await following.promise
  await walk.bench('POST', '/faults', { on: 'api', kind: 'hang' })
  const hanging = fetch(`${walk.sandbox.serviceUrl}/items/x`).catch((error: unknown) => error)
  await walk.bench('POST', '/settle', { timeout_ms: 50 })
  const startedAt = performance.now()

  await walk.close()

  expect(performance.now() - startedAt).toBeLessThan(1_000)
  expect([await ended.promise, await hanging]).toEqual([undefined, expect.any(TypeError)])
})
