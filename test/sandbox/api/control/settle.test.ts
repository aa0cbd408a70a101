import { expect, test } from 'vitest'
import {
  testSandbox,
  type Answer,
  type TestOptions,
  type TestSandbox,
} from '../../../support/test-sandbox.ts'

/** A sandbox with a webhook for items. */
async function registered(options: TestOptions = {}): Promise<TestSandbox> {
  const script = options.script ?? (() => 200)
  const sandbox = testSandbox({
    ...options,
    script: (message, index) => (index === 0 ? 200 : script(message, index - 1)),
  })
  await sandbox.register()
  return sandbox
}

const settle = (sandbox: TestSandbox, timeout_ms?: number): Promise<Answer> =>
  sandbox.control('POST', '/settle', timeout_ms === undefined ? {} : { timeout_ms })

/** Settles while real time passes. */
async function settledAfter(sandbox: TestSandbox, ms: number, timeout_ms?: number): Promise<unknown> {
  const settled = settle(sandbox, timeout_ms)
  for (let passed = 0; passed < ms; passed += 10) {
    await sandbox.control('GET', '/clock')
    sandbox.realTime.move(10)
  }
  return (await settled).body
}

test('a sandbox where nothing is due is settled, whatever is due later', async () => {
  const sandbox = await registered({ script: () => 500, readings: { 'job-recording-lag': '0ms' } })
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.control('POST', '/payments', { kind: 'direct-debit-payin', pace: '10m' })

  const { status, body } = await settle(sandbox)

  expect({ status, body }).toEqual({ status: 200, body: { settled: true } })
  expect(sandbox.attempts.length).toBeGreaterThan(0)
})

test('settling waits until an attempt shows, and no longer', async () => {
  const sandbox = await registered()
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

test('settling gives up in time, and says that attempts are under way', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = await registered({ script: () => answer.promise })
  await sandbox.control('POST', '/objects/items', {})

  const body = await settledAfter(sandbox, 100, 100)
  answer.resolve(200)
  await sandbox.idle()

  expect(body).toEqual({ settled: false, waiting_for: [{ what: 'attempts', count: 1 }] })
})

test('settling says that an attempt does not show yet', async () => {
  const sandbox = await registered({ readings: { 'job-recording-lag': '1h' } })
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.control('POST', '/objects/items', {})

  expect(await settledAfter(sandbox, 50, 50)).toEqual({
    settled: false,
    waiting_for: [{ what: 'recording_lag', count: 2 }],
  })
})

test('settling says that a payment step waits for the one before', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = await registered({ script: () => answer.promise })
  const played = sandbox.control('POST', '/payments', { kind: 'direct-debit-payin', pace: 'instant' })
  await sandbox.control('GET', '/clock')

  const { waiting_for } = (await settledAfter(sandbox, 30, 30)) as { waiting_for: unknown[] }
  answer.resolve(200)
  await played

  expect(waiting_for).toContainEqual({ what: 'payment_steps', count: 1 })
})

test('settling waits for what a fault holds back, and says so in the end', async () => {
  const sandbox = await registered({ readings: { 'job-recording-lag': '0ms' } })
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

test('settling waits for a retry that falls due meanwhile', async () => {
  const sandbox = await registered({
    script: (_, index) => (index === 0 ? 500 : 200),
    readings: { 'job-recording-lag': '0ms' },
  })
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()
  await sandbox.control('PATCH', '/clock', { speed: 300 })
  sandbox.realTime.move(1_000)

  const { body } = await settle(sandbox)

  expect([body, sandbox.attempts.map(({ status }) => status)]).toEqual([{ settled: true }, [500, 200]])
})

test.each([
  [{ timeout_ms: -1 }, 'timeout_ms'],
  [{ timeout_ms: 600_001 }, 'timeout_ms'],
  [{ timeout_ms: 1.5 }, 'timeout_ms'],
  [{ timeout: 5 }, 'timeout'],
])('settling refuses %j', async (sent, field) => {
  const { status, body } = await testSandbox().control('POST', '/settle', sent)

  expect([status, body.error.field]).toEqual([422, field])
})
