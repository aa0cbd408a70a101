import { expect, test } from 'vitest'
import {
  atRest,
  idsSent,
  makeItems,
  RECEIVER,
  registeredSandbox,
  START,
  type TestSandbox,
  testSandbox,
} from '../../../support/test-sandbox.ts'

async function lived(sandbox: TestSandbox): Promise<unknown> {
  await sandbox.control('PATCH', '/readings', { 'job-recording-lag': '5ms', signature: 'hmac' })
  await sandbox.call('POST', '/webhooks/secret_key', { secret_key: 'k3Vq8ZrT1mXw6Yp0sDf4Gh7Jb2Nc5Le9' })
  await sandbox.register()
  await sandbox.call('POST', '/callbacks', { url: RECEIVER, object_type: 'users' })
  await sandbox.control('POST', '/faults', { on: 'delivery', kind: 'duplicate', times: 3, probability: 0.5 })
  await sandbox.control('POST', '/faults', { on: 'api', kind: 'stale-show', match: { object_type: 'items' } })
  const [id = ''] = await makeItems(sandbox, 2)
  await sandbox.control('POST', '/objects/users', {})
  await sandbox.control('POST', '/objects/accounts', { account_type_id: 9700 })
  await sandbox.control('PATCH', `/objects/items/${id}`, { amount: 1 })
  await sandbox.control('POST', '/payments', { kind: 'direct-debit-payin', pace: '2h' })
  await sandbox.control('POST', '/deliveries', { url: RECEIVER, raw: 'AP8=', raw_encoding: 'base64' })
  await sandbox.call('GET', `/items/${id}`)
  await sandbox.control('POST', '/clock/advance', { by: '7m' })
  return seen(sandbox)
}

async function seen(sandbox: TestSandbox): Promise<unknown> {
  const { control } = sandbox
  const paths = ['clock', 'readings', 'registrations', 'jobs', 'payments', 'deliveries', 'requests', 'faults']
  const lists = await Promise.all(paths.map(async (path) => (await control('GET', `/${path}`)).body))
  const jobs = await Promise.all(
    sandbox.store.jobs().map(async ({ id }) => (await control('GET', `/jobs/${id}`)).body),
  )
  return [lists, jobs, sandbox.errors]
}

const flaky = () => ({ script: (_: unknown, index: number) => (index < 3 ? 200 : 500) })

test('a reset world behaves like a new world', async () => {
  const sandbox = testSandbox()
  const fresh = await seen(sandbox)
  const first = await lived(sandbox)
  await sandbox.control('PATCH', '/clock', { speed: 60 })

  const { status, body } = await sandbox.control('POST', '/reset')

  expect({ status, body }).toEqual({
    status: 200,
    body: { mode: 'manual', speed: 0, now: new Date(START).toISOString() },
  })
  expect([await seen(sandbox), sandbox.store.length]).toEqual([fresh, 0])
  expect(await lived(sandbox)).toEqual(first)
})

test('a restored world continues like the original world', async () => {
  const sandbox = testSandbox(flaky())
  const before = await lived(sandbox)
  // Stops the clock, because a snapshot contains the speed of a running clock.
  await sandbox.control('PATCH', '/clock', { speed: 0 })
  const { body: snapshot } = await sandbox.control('GET', '/snapshot')
  const followed = await makeItems(sandbox, 2)
  await sandbox.control('DELETE', '/faults')
  await sandbox.call('DELETE', `/webhooks/${sandbox.store.registrations('webhooks')[0]?.id}`)
  await sandbox.control('PATCH', '/readings', { signature: 'off' })
  await sandbox.control('POST', '/clock/advance', { by: '3d' })
  await sandbox.control('PATCH', '/clock', { speed: 7 })

  const { status, body } = await sandbox.control('PUT', '/snapshot', snapshot)
  const { body: again } = await sandbox.control('GET', '/snapshot')

  expect([status, body, await seen(sandbox)]).toEqual([200, snapshot.clock, before])
  expect([again.checksum, again.chance]).toEqual([snapshot.checksum, snapshot.chance])
  expect(await makeItems(sandbox, 2)).toEqual(followed)
})

test.each([
  ['checksum', { checksum: 'x' }],
  ['checksum', { entries: [] }],
  ['format', { format: 1 }],
  ['more', { more: 1 }],
])('a snapshot is rejected because of the field %s and changes nothing: %j', async (field, damage) => {
  const sandbox = testSandbox(flaky())
  await lived(sandbox)
  const { body: snapshot } = await sandbox.control('GET', '/snapshot')
  await makeItems(sandbox, 1)
  const before = await seen(sandbox)

  const { status, body } = await sandbox.control('PUT', '/snapshot', { ...snapshot, ...damage })

  expect([status, body.error.field, await seen(sandbox)]).toEqual([422, field, before])
})

test.each(['reset', 'snapshot'])('a world cannot be replaced during a clock advance (%s)', async (how) => {
  const answer = Promise.withResolvers<number>()
  const sandbox = await registeredSandbox(() => answer.promise)
  await makeItems(sandbox, 1)
  const { body: snapshot } = await sandbox.control('GET', '/snapshot')
  const advancing = sandbox.control('POST', '/clock/advance', { by: '1h' })
  await sandbox.control('GET', '/clock')

  const refused =
    how === 'reset'
      ? await sandbox.control('POST', '/reset')
      : await sandbox.control('PUT', '/snapshot', snapshot)
  answer.resolve(200)

  expect(refused.status).toBe(409)
  expect(refused.body.error.message).toContain('an advance to 2026-01-01T01:00:00.000Z is in progress')
  expect((await advancing).body.attempts).toBe(1)
})

test('a world reset discards the attempt in flight', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = await registeredSandbox(() => answer.promise)
  await makeItems(sandbox, 1)

  await sandbox.control('POST', '/reset')
  answer.resolve(500)
  await atRest(sandbox)

  expect([sandbox.store.length, sandbox.attempts, sandbox.errors]).toEqual([0, [], []])
  expect((await sandbox.control('POST', '/clock/advance', { by: '2d' })).body.attempts).toBe(0)
})

test('a restored job is sent again when the snapshot was taken during its attempt', async () => {
  const sandbox = await registeredSandbox((attempt) => (attempt === 0 ? new Promise<number>(() => {}) : 200))
  const [id] = await makeItems(sandbox, 1)
  const { body: snapshot } = await sandbox.control('GET', '/snapshot')

  await sandbox.control('PUT', '/snapshot', snapshot)
  await atRest(sandbox)

  expect([
    idsSent(sandbox),
    sandbox.store
      .jobs()
      .map((job) => [
        job.status,
        sandbox.store.attempts(job).map(({ head: { status, reason } }) => status ?? reason),
      ]),
  ]).toEqual([[id, id], [['success', ['interrupted', 200]]]])
})

test('the retries of a restored world become due at their original instants', async () => {
  const sandbox = await registeredSandbox(() => 500)
  await makeItems(sandbox, 1)
  await sandbox.control('POST', '/clock/advance', { by: '10m' })
  const { body: snapshot } = await sandbox.control('GET', '/snapshot')
  await sandbox.control('POST', '/clock/advance', { by: '30d' })
  const made = sandbox.attempts.length

  await sandbox.control('PUT', '/snapshot', snapshot)
  await sandbox.control('POST', '/clock/advance', { by: '30d' })

  expect(sandbox.attempts.slice(made).map(({ started_at }) => (started_at - START) / 60_000)).toEqual([
    25, 105, 425,
  ])
})
