import { expect, test } from 'vitest'
import {
  type Answer,
  RECEIVER,
  registeredSandbox,
  sandboxWithJob,
  START,
  type TestSandbox,
  testSandbox,
} from '../../../support/test-sandbox.ts'

test('registrations are listed with webhooks before callbacks, and oldest first in each generation', async () => {
  const sandbox = testSandbox()
  const asked = [
    ['callbacks', { object_type: 'users' }],
    ['webhooks', { object_type: 'items' }],
    ['webhooks', { object_type: 'items', enabled: false }],
    ['callbacks', { object_type: 'items' }],
  ] as const
  for (const [generation, fields] of asked)
    await sandbox.call('POST', `/${generation}`, { url: RECEIVER, ...fields })

  const { status, body } = await sandbox.control('GET', '/registrations')

  const [first, second, third, fourth] = body.registrations.map(({ id }: { id: string }) => id)
  const rest = { url: RECEIVER, created_at: new Date(START).toISOString() }
  expect([status, new Set([first, second, third, fourth]).size]).toEqual([200, 4])
  expect(body.registrations).toEqual([
    { generation: 'webhooks', id: first, object_type: 'items', enabled: true, ...rest },
    { generation: 'webhooks', id: second, object_type: 'items', enabled: false, ...rest },
    { generation: 'callbacks', id: third, object_type: 'users', enabled: true, ...rest },
    { generation: 'callbacks', id: fourth, object_type: 'items', enabled: true, ...rest },
  ])
})

const wanted = (fields: object = {}) => ({
  generation: 'webhooks',
  object_type: 'items',
  url: RECEIVER,
  ...fields,
})

test('a receiver is registered in either generation when it accepts the test POST', async () => {
  const sandbox = testSandbox({ script: () => 202 })

  const webhook = await sandbox.control('POST', '/registrations', wanted())
  const callback = await sandbox.control('POST', '/registrations', wanted({ generation: 'callbacks' }))

  const { body: list } = await sandbox.control('GET', '/registrations')
  expect([webhook.status, callback.status]).toEqual([201, 201])
  expect(list.registrations).toEqual([webhook.body.registration, callback.body.registration])
  expect([webhook.body.test_status, callback.body.test_status]).toEqual([202, 202])
})

test('a receiver is not registered when it rejects the test POST', async () => {
  const sandbox = testSandbox({ script: () => 500 })

  const { status, body } = await sandbox.control('POST', '/registrations', wanted())

  expect(status).toBe(422)
  expect(body.error).toMatchObject({ field: 'url' })
  expect(body.error.message).toContain('was answered 500')
  expect((await sandbox.control('GET', '/registrations')).body.registrations).toEqual([])
})

test.each(['webhooks', 'callbacks'])('a rejection of %s names the valid object types', async (generation) => {
  const sent = wanted({ generation, object_type: 'things' })

  const { status, body } = await testSandbox().control('POST', '/registrations', sent)

  expect([status, body.error.field]).toEqual([422, 'object_type'])
  expect(body.error.message).toContain('items, users')
})

test('only one registration per object type and generation is enabled at a time', async () => {
  const sandbox = testSandbox()
  const { body: first } = await sandbox.control('POST', '/registrations', wanted())
  const second = await sandbox.control('POST', '/registrations', wanted({ url: `${RECEIVER}/2` }))
  const change = (id: string, enabled: boolean) =>
    sandbox.control('PATCH', `/registrations/${id}`, { enabled })

  const disabled = await change(first.registration.id, false)
  const third = await sandbox.control('POST', '/registrations', wanted({ url: `${RECEIVER}/3` }))
  const refused = await change(first.registration.id, true)
  await change(third.body.registration.id, false)
  const enabled = await change(first.registration.id.slice(0, 8), true)

  expect([second.status, third.status, refused.status]).toEqual([409, 201, 409])
  expect(disabled.body).toEqual({ ...first.registration, enabled: false })
  expect(enabled.body).toEqual(first.registration)
  expect((await change('none-of-them', true)).status).toBe(404)
})

const settle = (sandbox: TestSandbox, timeout_ms?: number): Promise<Answer> =>
  sandbox.control('POST', '/settle', timeout_ms === undefined ? {} : { timeout_ms })

async function settledAfter(sandbox: TestSandbox, ms: number, timeout_ms?: number): Promise<unknown> {
  const settled = settle(sandbox, timeout_ms)
  for (let passed = 0; passed < ms; passed += 10) {
    await sandbox.control('GET', '/clock')
    sandbox.realTime.move(10)
  }
  return (await settled).body
}

test('POST /settle succeeds at once when no work is due', async () => {
  const sandbox = await registeredSandbox(() => 500, { readings: { 'job-recording-lag': '0ms' } })
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.control('POST', '/payments', { kind: 'direct-debit-payin', pace: '10m' })

  const { status, body } = await settle(sandbox)

  expect({ status, body }).toEqual({ status: 200, body: { settled: true } })
  expect(sandbox.attempts.length).toBeGreaterThan(0)
})

test('POST /settle waits until the attempts are visible in the service API', async () => {
  const sandbox = await registeredSandbox()
  await sandbox.control('POST', '/objects/items', {})
  const { realTime } = sandbox
  const start = realTime.elapsed()

  const body = await settledAfter(sandbox, 220)
  const { body: page } = await sandbox.call(
    'GET',
    `/webhooks/${sandbox.store.jobs()[0]?.registration_id}/jobs`,
  )

  expect([body, page.jobs[0].request_response.length]).toEqual([{ settled: true }, 1])
  expect(realTime.elapsed() - start).toBe(220)
})

test('POST /settle reports attempts in flight after its timeout', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = await registeredSandbox(() => answer.promise)
  await sandbox.control('POST', '/objects/items', {})

  const body = await settledAfter(sandbox, 100, 100)
  answer.resolve(200)
  await sandbox.idle()

  expect(body).toEqual({ settled: false, waiting_for: [{ what: 'attempts', count: 1 }] })
})

test('POST /settle reports a payment step that waits for an earlier step', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = await registeredSandbox(() => answer.promise)
  const played = sandbox.control('POST', '/payments', { kind: 'direct-debit-payin', pace: 'instant' })
  await sandbox.control('GET', '/clock')

  const { waiting_for } = (await settledAfter(sandbox, 30, 30)) as { waiting_for: unknown[] }
  answer.resolve(200)
  await played

  expect(waiting_for).toContainEqual({ what: 'payment_steps', count: 1 })
})

test('POST /settle reports and waits for deliveries that a fault holds back', async () => {
  const sandbox = await registeredSandbox(undefined, { readings: { 'job-recording-lag': '0ms' } })
  const { body: fault } = await sandbox.control('POST', '/faults', { on: 'delivery', kind: 'reorder' })
  await sandbox.control('POST', '/objects/items', {})

  const held = await settledAfter(sandbox, 40, 40)
  const settled = settle(sandbox)
  await sandbox.control('DELETE', `/faults/${fault.id}`)

  expect([held, (await settled).body]).toEqual([
    { settled: false, waiting_for: [{ what: 'held_by_fault', count: 1 }] },
    { settled: true },
  ])
})

test('POST /settle waits for a retry that falls due during the wait', async () => {
  const script = (attempt: number) => (attempt === 0 ? 500 : 200)
  const sandbox = await sandboxWithJob(script, { readings: { 'job-recording-lag': '0ms' } })
  await sandbox.control('PATCH', '/clock', { speed: 300 })
  sandbox.realTime.move(1_000)

  const { body } = await settle(sandbox)

  expect([body, sandbox.attempts.map(({ status }) => status)]).toEqual([{ settled: true }, [500, 200]])
})

test('a registration is rejected when the world is reset during its test POST', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = testSandbox({ script: () => answer.promise })
  const registering = sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: 'items' })
  await expect.poll(() => sandbox.transport.messages.length).toBe(1)
  await sandbox.control('POST', '/reset')
  answer.resolve(200)

  const { status, body } = await registering

  expect([status, sandbox.store.length]).toEqual([409, 0])
  expect(body.message).toContain('the sandbox was reset')
})
