import { expect, test } from 'vitest'
import type { Store } from '../../../../sandbox/engine/state/store.ts'
import type { JobRecord } from '../../../../sandbox/engine/state/job.ts'
import { RECEIVER, START, testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'
import { createFailingDisk, createMemoryDatabase } from '../../../support/stores.ts'

const MINUTE = 60_000

const hangsAfter =
  (...statuses: readonly number[]) =>
  (_: unknown, index: number) =>
    statuses[index] ?? new Promise<number>(() => {})

/** Leaves a store as if its process was killed during an item's first attempt. Returns the id of the registration. */
async function killed(database: { open(): Store }, source?: { readonly kind: 'loopback' }): Promise<string> {
  const sandbox = testSandbox({ store: database.open(), script: hangsAfter(200), source })
  const uuid = await sandbox.register()
  await sandbox.control('POST', '/objects/items', { name: 'Before' })
  await expect.poll(() => sandbox.transport.messages.length).toBe(2)
  return uuid
}

function heads({ store }: TestSandbox, job = firstJob(store.jobs())) {
  return store.attempts(job).map(({ head }) => head)
}

function firstJob([job]: readonly JobRecord[]): JobRecord {
  if (!job) throw new Error('There is no job')
  return job
}

test('an attempt that a kill interrupted is recorded as interrupted and repeated', async () => {
  const database = createMemoryDatabase()
  await killed(database)

  const again = testSandbox({ store: database.open(), startAt: START + MINUTE })
  await again.idle()

  expect(heads(again)).toMatchObject([
    {
      number: 1,
      url: RECEIVER,
      started_at: START,
      at: START + MINUTE,
      status: null,
      reason: 'interrupted',
      timings: { connectedMs: null, answeredMs: null, totalMs: null },
    },
    { number: 2, url: RECEIVER, started_at: START + MINUTE, status: 200, reason: null },
  ])
})

test('an attempt that a clean stop interrupts is recorded as interrupted and repeated', async () => {
  const database = createMemoryDatabase()
  const sandbox = testSandbox({
    store: database.open(),
    script: (_, index) =>
      index === 0 ? 200 : { kind: 'unanswered', reason: 'interrupted', message: 'The sandbox stopped' },
  })
  await sandbox.register()
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()
  await sandbox.close()
  const { attempts, next_due_at } = firstJob(sandbox.store.jobs())

  const again = testSandbox({ store: database.open() })
  await again.idle()

  expect([sandbox.attempts, attempts, next_due_at]).toEqual([[], 0, START])
  expect(heads(again).map(({ number, reason }) => [number, reason])).toEqual([
    [1, 'interrupted'],
    [2, null],
  ])
})

test('request_response describes an interrupted attempt without a response code', async () => {
  const database = createMemoryDatabase()
  const uuid = await killed(database, { kind: 'loopback' })
  const again = testSandbox({ store: database.open(), readings: { 'job-recording-lag': '0ms' } })
  await again.idle()

  const { body } = await again.call('GET', `/webhooks/${uuid}/jobs`)

  const message = expect.stringMatching(
    /^Interrupted: the sandbox was stopped.* before localhost:9443 answered a POST from 127\..*\. The notification is sent again$/,
  )
  expect(body.jobs[0].request_response).toMatchObject([
    { response_code: null, message },
    { response_code: 200, message: 'Answered 200' },
  ])
  const { body: detail } = await again.control('GET', `/jobs/${firstJob(again.store.jobs()).id}`)
  expect(detail.attempts[0]).toMatchObject({
    reason: 'interrupted',
    response: null,
    timings: { total_ms: null },
  })
  expect(JSON.parse(detail.attempts[0].request.body).items.name).toBe('Before')
})

test('an interrupted resend is recorded as manual and is not repeated', async () => {
  const database = createMemoryDatabase()
  const first = testSandbox({ store: database.open(), script: hangsAfter(200, 500) })
  await first.register()
  await first.control('POST', '/objects/items', {})
  await first.idle()
  void first.control('POST', `/jobs/${firstJob(first.store.jobs()).id}/resend`)
  await expect.poll(() => first.transport.messages.length).toBe(3)

  const again = testSandbox({ store: database.open() })
  await again.idle()

  const { next_due_at } = firstJob(again.store.jobs())
  expect([heads(again).map(({ reason, manual }) => [reason, manual]), next_due_at]).toEqual([
    [
      ['http_500', undefined],
      ['interrupted', true],
    ],
    START + 5 * MINUTE,
  ])
})

test('the faults of an interrupted attempt apply to its repetition but are not counted again', async () => {
  const database = createMemoryDatabase()
  const first = testSandbox({ store: database.open(), script: hangsAfter(200) })
  await first.register()
  await first.control('POST', '/faults', { on: 'delivery', kind: 'duplicate', times: 1 })
  await first.control('POST', '/objects/items', {})
  await expect.poll(() => first.transport.messages.length).toBe(2)

  const again = testSandbox({ store: database.open() })
  await again.idle()

  const { body } = await again.control('GET', '/faults')
  expect(body.faults).toMatchObject([{ matched: 1, applied: 1 }])
  expect(heads(again).map(({ faults = [] }) => faults.map(({ kind }) => kind))).toEqual([
    ['duplicate'],
    ['duplicate'],
  ])
})

test('an attempt is not sent while its start cannot be recorded', async () => {
  const disk = createFailingDisk()
  const sandbox = testSandbox({ store: disk.open() })
  await sandbox.register()
  disk.fail('full', (entries) => entries.some(({ head }) => head.kind === 'attempt-start'))
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()
  const sentMeanwhile = sandbox.transport.messages.length

  disk.repair()
  sandbox.realTime.move(1_000)
  await sandbox.idle()

  expect([sentMeanwhile, sandbox.errors, sandbox.transport.messages.length]).toEqual([1, [], 2])
  expect(heads(sandbox).map(({ number, status }) => [number, status])).toEqual([[1, 200]])
})
