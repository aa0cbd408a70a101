import { expect, test } from 'vitest'
import { START, type TestSandbox, testSandbox } from '../../../support/test-sandbox.ts'

const MINUTE = 60_000

const DAY = 24 * 60 * MINUTE

const textOf = (body: Uint8Array) => Buffer.from(body).toString('utf8')

/** Leaves out the test POST. */
function posted({ transport }: TestSandbox): string[] {
  return transport.messages.slice(1).map(({ body }) => JSON.parse(textOf(body)).items.name)
}

async function create({ control }: TestSandbox, fields: object = {}): Promise<string> {
  const { body } = await control('POST', '/objects/items', fields)
  return body.id
}

test('first attempts of a registration start in the order of their triggers', async () => {
  const sandbox = testSandbox()
  await sandbox.register()
  const names = Array.from({ length: 100 }, (_, index) => `Item ${index}`)

  await Promise.all(names.map((name) => create(sandbox, { name })))
  await sandbox.idle()

  expect(posted(sandbox)).toEqual(names)
})

test('a retry that falls due during an attempt starts right after it', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : 500) })
  await sandbox.register()
  await create(sandbox)
  await sandbox.idle()

  sandbox.context.clock.moveTo(START + 30 * MINUTE)
  await sandbox.idle()

  expect(sandbox.attempts.map(({ due_at, started_at }) => [due_at - START, started_at - START])).toEqual([
    [0, 0],
    [5 * MINUTE, 30 * MINUTE],
    [25 * MINUTE, 30 * MINUTE],
  ])
})

test('a retry sends the present Show under the reading', async () => {
  const sandbox = testSandbox({
    script: (_, index) => (index === 1 ? 500 : 200),
    readings: { 'retry-body': 'current' },
  })
  await sandbox.register()
  const id = await create(sandbox, { name: 'Before' })
  await sandbox.idle()
  await sandbox.control('PATCH', `/objects/items/${id}`, { name: 'After' })

  await sandbox.advance(START + DAY)

  expect(posted(sandbox)).toEqual(['Before', 'After', 'After'])
})

test('a registration that is disabled and enabled before a retry loses nothing', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : 500) })
  const uuid = await sandbox.register()
  await create(sandbox)
  await sandbox.idle()
  const set = (enabled: boolean) => sandbox.call('PATCH', `/webhooks/${uuid}`, { enabled })

  await set(false)
  await sandbox.advance(START + 4 * MINUTE)
  await set(true)
  await sandbox.advance(START + DAY)

  const minutes = sandbox.attempts.map(({ started_at }) => (started_at - START) / MINUTE)
  expect(minutes).toEqual([0, 5, 25, 105, 425])
})

test('retries that fall due while the registration is disabled end for good', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : 500) })
  const uuid = await sandbox.register()
  await create(sandbox)
  await sandbox.idle()
  await sandbox.call('PATCH', `/webhooks/${uuid}`, { enabled: false })
  await sandbox.advance(START + 5 * MINUTE)
  await sandbox.call('PATCH', `/webhooks/${uuid}`, { enabled: true })

  await sandbox.advance(START + DAY)

  expect(sandbox.attempts.length).toBe(1)
  expect(sandbox.store.jobs()[0]).toMatchObject({ status: 'failed', next_due_at: null })
})

test('a second advance is rejected, and one in parts makes the same attempts', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : 500) })
  await sandbox.register()
  await create(sandbox)

  const under = sandbox.control('POST', '/clock/advance', { by: '6m' })
  const second = await sandbox.control('POST', '/clock/advance', { by: '1m' })
  await under
  await sandbox.control('POST', '/clock/advance', { by: '20m' })

  expect(second).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
  expect(sandbox.attempts.map(({ started_at }) => (started_at - START) / MINUTE)).toEqual([0, 5, 25])
})

test('jobs that fell due during eight hours of sleep are sent once, in order and not all at once', async () => {
  let underWay = 0
  let most = 0
  const sandbox = testSandbox({
    async script(_, index) {
      if (index === 0) return 200
      most = Math.max(most, ++underWay)
      await new Promise<void>((resolve) => void setImmediate(resolve))
      underWay--
      return 500
    },
  })
  await sandbox.register()
  await sandbox.control('PATCH', '/clock', { mode: 'real' })
  for (let count = 0; count < 100; count++) await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()
  most = 0

  sandbox.realTime.move(8 * 60 * MINUTE)
  await sandbox.idle()

  expect(most).toBe(64)
  const dueByJob = sandbox.store
    .jobs()
    .map((job) => sandbox.store.attempts(job).map(({ head }) => Math.floor((head.due_at - START) / MINUTE)))
  expect(dueByJob).toEqual(Array.from({ length: 100 }, () => [0, 5, 25, 105, 425]))
})
