import { expect, test } from 'vitest'
import {
  makeItems,
  registeredSandbox,
  sandboxWithJob,
  START,
  type TestSandbox,
} from '../../../support/test-sandbox.ts'

const MINUTE = 60_000

const DAY = 24 * 60 * MINUTE

const textOf = (body: Uint8Array) => Buffer.from(body).toString('utf8')

/** Returns the item names in the sent notifications, without the test POST. */
function posted({ transport }: TestSandbox): string[] {
  return transport.messages.slice(1).map(({ body }) => JSON.parse(textOf(body)).items.name)
}

const create = async ({ control }: TestSandbox, fields: object): Promise<string> =>
  (await control('POST', '/objects/items', fields)).body.id

test('first attempts of a registration start in the order of their triggers', async () => {
  const sandbox = await registeredSandbox()
  const names = Array.from({ length: 100 }, (_, index) => `Item ${index}`)

  await Promise.all(names.map((name) => create(sandbox, { name })))
  await sandbox.idle()

  expect(posted(sandbox)).toEqual(names)
})

test('a retry sends the current response of the Show operation when the reading "retry-body" is "current"', async () => {
  const script = (attempt: number) => (attempt === 0 ? 500 : 200)
  const sandbox = await registeredSandbox(script, { readings: { 'retry-body': 'current' } })
  const id = await create(sandbox, { name: 'Before' })
  await sandbox.idle()
  await sandbox.control('PATCH', `/objects/items/${id}`, { name: 'After' })

  await sandbox.advance(START + DAY)

  expect(posted(sandbox)).toEqual(['Before', 'After', 'After'])
})

test('a job keeps all its retries when its registration is disabled and enabled again before the next retry', async () => {
  const { registration: uuid, ...sandbox } = await sandboxWithJob(() => 500)
  const set = (enabled: boolean) => sandbox.call('PATCH', `/webhooks/${uuid}`, { enabled })

  await set(false)
  await sandbox.advance(START + 4 * MINUTE)
  await set(true)
  await sandbox.advance(START + DAY)

  const minutes = sandbox.attempts.map(({ started_at }) => (started_at - START) / MINUTE)
  expect(minutes).toEqual([0, 5, 25, 105, 425])
})

test('retries that become due while the registration is disabled are never sent', async () => {
  const { registration: uuid, ...sandbox } = await sandboxWithJob(() => 500)
  await sandbox.call('PATCH', `/webhooks/${uuid}`, { enabled: false })
  await sandbox.advance(START + 5 * MINUTE)
  await sandbox.call('PATCH', `/webhooks/${uuid}`, { enabled: true })

  await sandbox.advance(START + DAY)

  expect(sandbox.attempts.length).toBe(1)
  expect(sandbox.store.jobs()[0]).toMatchObject({ status: 'failed', next_due_at: null })
})

test('a second simultaneous advance is rejected', async () => {
  const sandbox = await registeredSandbox(() => 500)
  await makeItems(sandbox, 1)

  const under = sandbox.control('POST', '/clock/advance', { by: '6m' })
  const second = await sandbox.control('POST', '/clock/advance', { by: '1m' })
  await under
  await sandbox.control('POST', '/clock/advance', { by: '20m' })

  expect(second).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
  expect(sandbox.attempts.map(({ started_at }) => (started_at - START) / MINUTE)).toEqual([0, 5, 25])
})

test('overdue retries are sent once, at most 64 at a time, when the machine wakes after eight hours', async () => {
  let underWay = 0
  let most = 0
  const sandbox = await registeredSandbox(async () => {
    most = Math.max(most, ++underWay)
    await new Promise<void>((resolve) => void setImmediate(resolve))
    underWay--
    return 500
  })
  await sandbox.control('PATCH', '/clock', { mode: 'real' })
  await makeItems(sandbox, 100)
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
