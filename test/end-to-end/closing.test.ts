import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { startWalk, type Walk } from '../support/walk.ts'
import { addWorld, worldClient, type WorldClient } from '../support/world-client.ts'

test('a sandbox closes at once despite event readers and calls held by a fault', async () => {
  // If it waited for what goes on, it would wait until the test is over.
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

/** How the jobs of the default world and of another one stand, with their attempts. */
async function readJobs(walk: Walk, worlds: readonly Pick<WorldClient, 'control'>[]) {
  const controls = [walk.bench, ...worlds.map(({ control }) => control)]
  return Promise.all(
    controls.map(async (control) => {
      const { jobs } = (await control('GET', '/jobs')).body
      const details = jobs.map(async ({ id }: { id: string }) => (await control('GET', `/jobs/${id}`)).body)
      return (await Promise.all(details)).map(({ job, attempts }) => [
        job.status,
        attempts.map(
          ({ status, reason }: { status: number | null; reason: string | null }) => status ?? reason,
        ),
      ])
    }),
  )
}

test.each([
  // If it waited for the grace, it would wait until the test is over.
  ['that is answered within the grace is waited for', 3_600_000, [['success', [204]]]],
  ['that is not is cut off, and sent again after the next start', 1, [['success', ['interrupted', 204]]]],
] as const)('a delivery of any world %s, as the sandbox closes', async (_, graceMs, jobs) => {
  const isCut = graceMs === 1
  const answer = Promise.withResolvers<number>()
  const walk = await startWalk({ graceMs })
  onTestFinished(() => walk.close())
  const anna = await addWorld(walk.sandbox, 'a-token-of-the-run', { name: 'anna', speed: 0 })
  const registration = { url: walk.urlFor('webhooks', 'items'), object_type: 'items' }
  await walk.service('POST', '/webhooks', registration)
  await anna.service('POST', '/webhooks', registration)
  walk.answer(() => answer.promise)
  await walk.bench('POST', '/objects/items', {})
  await anna.control('POST', '/objects/items', {})
  await expect.poll(() => walk.received.length).toBe(2)
  const { serviceUrl } = walk.sandbox

  const restarted = walk.restart()
  // It listens no more: from now on it waits for what is under way.
  await expect
    .poll(() =>
      fetch(serviceUrl).then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed')
  if (isCut) walk.answer(() => 204)
  else answer.resolve(204)
  await restarted

  await expect.poll(() => readJobs(walk, [worldClient(walk.sandbox, anna.access)])).toEqual([jobs, jobs])
  expect(walk.received).toHaveLength(isCut ? 4 : 2)
})
