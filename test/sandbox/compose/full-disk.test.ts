import { expect, test } from 'vitest'
import { RECEIVER, START, testSandbox, type TestOptions } from '../../support/test-sandbox.ts'
import { createFailingDisk } from '../../support/stores.ts'

const HOUR = 3_600_000
const ID = '00000000-0000-4000-8000-000000000001'

async function openOnDisk(options: TestOptions = {}) {
  const disk = createFailingDisk()
  const sandbox = testSandbox({ ...options, store: disk.open() })
  await sandbox.register()
  return { disk, sandbox, sent: () => sandbox.transport.messages.length - 1 }
}

test('a full disk is reported once, and its recovery is reported once', async () => {
  const { disk, sandbox } = await openOnDisk()
  disk.fail('full')

  for (let index = 0; index < 30; index++) await sandbox.control('POST', '/objects/items', {})
  for (let second = 0; second < 8; second++) sandbox.realTime.move(1_000)
  disk.repair()
  sandbox.realTime.move(1_000)

  expect(sandbox.problems.map((problem) => problem?.kind)).toEqual(['full', undefined])
})

test('GET /control/health reports the reason until the disk has space', async () => {
  const { disk, sandbox } = await openOnDisk()
  disk.fail('full')
  const refused = await sandbox.control('POST', '/objects/items', {})
  const meanwhile = await sandbox.control('GET', '/health')
  disk.repair()
  sandbox.realTime.move(1_000)
  const again = await sandbox.control('POST', '/objects/items', {})
  const after = await sandbox.control('GET', '/health')

  expect([refused.status, refused.body.error.code, again.status]).toEqual([507, 'storage_full', 201])
  expect(meanwhile.body).toMatchObject({ status: 'storage_full', ready: false, reason: 'The store is full' })
  expect(after.body).toMatchObject({ status: 'ready', ready: true })
  expect(after.body.reason).toBeUndefined()
})

test.each([
  ['POST', '/objects/items', {}],
  ['POST', '/deliveries', { url: RECEIVER, body: {} }],
  ['POST', '/payments', { kind: 'bpay-payin' }],
  ['POST', '/clock/advance', { by: '1h' }],
  ['PATCH', '/clock', { mode: 'real' }],
  ['PATCH', '/readings', { 'retry-window': 'five-attempts' }],
  ['POST', '/registrations', { generation: 'webhooks', object_type: 'accounts', url: RECEIVER }],
  ['POST', '/reset', undefined],
] as const)('%s %s answers 507 and sends nothing while the disk is full', async (method, path, body) => {
  const { disk, sandbox, sent } = await openOnDisk()
  disk.fail('full')
  await sandbox.control('POST', '/objects/items', {})

  const { status } = await sandbox.control(method, path, body)

  expect([status, sent(), sandbox.errors]).toEqual([507, 0, []])
})

test('a repeated change is rejected while the first change is not durable', async () => {
  const { disk, sandbox } = await openOnDisk()
  await sandbox.control('POST', '/objects/items', { id: ID })
  disk.failSyncs('full')
  const change = () => sandbox.call('PATCH', `/items/${ID}`, { description: 'changed' })

  expect([(await change()).status, (await change()).status]).toEqual([507, 507])
})

test('a clock advance stops when a full disk prevents due deliveries', async () => {
  const { disk, sandbox } = await openOnDisk({ script: (_, index) => (index === 0 ? 200 : 503) })
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()
  disk.fail('full')

  const { status } = await sandbox.control('POST', '/clock/advance', { by: '24h' })
  const stoppedAt = sandbox.context.now()
  disk.repair()
  sandbox.realTime.move(1_000)
  await sandbox.advance(START + HOUR)

  expect([status, stoppedAt < START + HOUR]).toEqual([507, true])
  const [first, ...retries] = sandbox.attempts.map(({ started_at, due_at }) => started_at - due_at)
  expect([first, ...retries]).toEqual([0, 0, 0])
})

test('restoring a snapshot on a full disk leaves the world unchanged', async () => {
  const { disk, sandbox } = await openOnDisk()
  const { body: earlier } = await sandbox.control('GET', '/snapshot')
  await sandbox.control('PATCH', '/readings', { 'retry-window': 'five-attempts' })
  await sandbox.control('POST', '/clock/advance', { by: '1h' })
  const { body: before } = await sandbox.control('GET', '/snapshot')
  disk.fail('full')

  const { status } = await sandbox.control('PUT', '/snapshot', earlier)
  const { body: after } = await sandbox.control('GET', '/snapshot')

  expect([status, after]).toEqual([507, before])
})

test('a payment interrupted by a full disk continues at the same step', async () => {
  const { disk, sandbox } = await openOnDisk()
  const { body: payment } = await sandbox.control('POST', '/payments', { kind: 'bpay-payin', pace: '10m' })
  const due = sandbox.store.payment(payment.id)?.next_due_at ?? Number.NaN
  disk.fail('full')
  await sandbox.advance(due).catch(() => {})
  const before = sandbox.store.payment(payment.id)?.next_due_at
  disk.repair()
  sandbox.realTime.move(1_000)
  await sandbox.idle()

  expect(before).toBe(due)
  expect(sandbox.store.payment(payment.id)?.next_due_at).not.toBe(due)
})

test('a sandbox answers 500 and rejects all later changes after a disk failure', async () => {
  const { disk, sandbox, sent } = await openOnDisk()
  disk.fail('failed')

  const first = await sandbox.control('POST', '/objects/items', {})
  disk.repair()
  sandbox.realTime.move(60_000)
  const second = await sandbox.control('POST', '/objects/items', {})

  expect([first.status, second.status, sent(), sandbox.errors]).toEqual([500, 500, 0, []])
  expect(sandbox.problems.map((problem) => problem?.kind)).toEqual(['failed'])
})

test('a change that was rejected because the disk was full does not conflict with another change', async () => {
  const disk = createFailingDisk()
  const sandbox = testSandbox({ store: disk.open() })
  disk.fail('full')

  const answers = await Promise.all([
    sandbox.control('POST', '/objects/items', { id: ID }),
    sandbox.control('POST', '/objects/items', { id: ID }),
  ])

  // The second change causes no conflict, because the rejected first change has created no object.
  expect(answers.map(({ status }) => status)).toEqual([507, 507])
})

test('a change is stored but not acknowledged when the disk is full during its sync', async () => {
  const disk = createFailingDisk()
  const sandbox = testSandbox({ store: disk.open() })
  const id = await sandbox.register()

  disk.failSyncs('full')
  const { status } = await sandbox.call('PATCH', `/webhooks/${id}`, { enabled: false })

  expect([status, sandbox.store.registration(id)?.enabled]).toEqual([507, false])
})
