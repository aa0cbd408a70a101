import { expect, test } from 'vitest'
import { createMemoryLog } from '../../../sandbox/engine/state/log.ts'
import { createSandbox } from '../../../sandbox/index.ts'
import { testSandbox, type TestSandbox } from '../../support/test-sandbox.ts'

/** Makes an object and changes it so often; gives the `updated_at` of each reply. */
async function changeOften({ control }: TestSandbox, times: number): Promise<string[]> {
  const { body: made } = await control('POST', '/objects/items', {})
  const updates: string[] = [made.object.updated_at]
  for (let amount = 1; amount <= times; amount++) {
    const { body } = await control('PATCH', `/objects/items/${made.id}`, { amount: 1_000 + amount })
    updates.push(body.object.updated_at)
  }
  return updates
}

function expectOrdered(updates: readonly string[]): void {
  expect(updates).toEqual([...new Set(updates)].toSorted())
}

test.each([0, 1, 300])('updated_at orders the changes of an object at clock speed %d', async (speed) => {
  const sandbox = testSandbox()
  await sandbox.control('PATCH', '/clock', { speed })

  expectOrdered(await changeOften(sandbox, 5))
})

test('a running clock that changes have moved ahead stands until real time is there', async () => {
  const sandbox = testSandbox()
  await sandbox.control('PATCH', '/clock', { speed: 1 })
  const began = sandbox.context.clock.now()
  await changeOften(sandbox, 5)
  const [ahead] = [sandbox.context.clock.now() - began]

  sandbox.realTime.move(20)

  expect([ahead, sandbox.context.clock.now() - began]).toEqual([5, 20])
})

test('updated_at orders the changes before and after a restart', async () => {
  const log = createMemoryLog()
  const first = testSandbox({ log })
  const before = await changeOften(first, 2)
  await first.close()
  const [id] = [...first.store.objectIds('items')]

  const { body } = await testSandbox({ log }).control('PATCH', `/objects/items/${id}`, { amount: 5 })

  expectOrdered([...before, body.object.updated_at])
})

test('updated_at orders the changes before a snapshot and after it is put back', async () => {
  const sandbox = testSandbox()
  const before = await changeOften(sandbox, 2)
  const [id] = [...sandbox.store.objectIds('items')]
  const { body: snapshot } = await sandbox.control('GET', '/snapshot')
  await sandbox.control('POST', '/reset')
  await sandbox.control('PUT', '/snapshot', snapshot)

  const { body } = await sandbox.control('PATCH', `/objects/items/${id}`, { amount: 5 })

  expectOrdered([...before, body.object.updated_at])
})

test('two changes of an object in one transaction have two times', async () => {
  const sandbox = testSandbox({ readings: { 'accompanying-notifications': 'all' } })
  await sandbox.register()

  await sandbox.control('POST', '/payments', { kind: 'card-payin', pace: 'stepwise' })
  await sandbox.idle()

  const [, ...sent] = sandbox.transport.messages.map(({ body }) => JSON.parse(Buffer.from(body).toString()))
  expect(sent.length).toBe(2)
  expectOrdered(sent.map(({ items }) => items.updated_at))
})

test('updated_at orders the states of a payment that is played at once', async () => {
  const updates: string[] = []
  const batch_transactions = async (request: Request) => {
    const { batch_transactions: batch } = JSON.parse(await request.text())
    if (batch) updates.push(batch.updated_at)
    return new Response()
  }
  await using sandbox = await createSandbox({ receivers: { batch_transactions } })

  await sandbox.play('direct-debit-payin')

  expect(updates.length).toBe(3)
  expectOrdered(updates)
})

test('updated_at orders the changes of a registration', async () => {
  const sandbox = testSandbox()
  const uuid = await sandbox.register()

  const updates = [(await sandbox.call('GET', `/webhooks/${uuid}`)).body.updated_at]
  for (const description of ['One', 'Two'])
    updates.push((await sandbox.call('PATCH', `/webhooks/${uuid}`, { description })).body.updated_at)

  expectOrdered(updates)
})

test('an advance of five minutes makes the retries of steps that were due when it was asked for', async () => {
  const answered = Promise.withResolvers<number>()
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : answered.promise) })
  const url = 'https://localhost:9443/notifications/batches/3f9c1d2ab47e8051'
  await sandbox.call('POST', '/webhooks', { url, object_type: 'batch_transactions' })
  const played = sandbox.control('POST', '/payments', { kind: 'direct-debit-payin' })
  await expect.poll(() => sandbox.transport.messages.length).toBe(2)
  const advanced = sandbox.control('POST', '/clock/advance', { by: '5m' })
  await new Promise((resolve) => void setImmediate(resolve))

  answered.resolve(503)
  await Promise.all([played, advanced])

  const jobs = sandbox.store.jobs()
  expect(jobs.map((job) => sandbox.store.attempts(job).length)).toEqual([2, 2, 2])
})
