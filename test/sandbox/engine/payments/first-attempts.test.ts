import { expect, test } from 'vitest'
import type { Message } from '../../../../sandbox/engine/core/ports.ts'
import { RECEIVER, testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'
import { createMemoryDatabase } from '../../../support/stores.ts'

const DIRECT_DEBIT = { kind: 'direct-debit-payin', pace: 'instant' }

async function registerBatches({ call }: TestSandbox): Promise<void> {
  const body = { url: `${RECEIVER}/batches`, object_type: 'batch_transactions' }
  expect((await call('POST', '/webhooks', body)).status).toBe(201)
}

const stateOf = ({ body }: Message): string =>
  JSON.parse(Buffer.from(body).toString('utf8')).batch_transactions?.state

test('a step waits for no notification that was called off meanwhile', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = testSandbox({ script: (_, index) => (index === 1 ? answer.promise : 200) })
  const uuid = await sandbox.register()
  const { body: item } = await sandbox.control('POST', '/objects/items', {})
  await sandbox.control('PATCH', `/objects/items/${item.id}`, { name: 'Behind the first' })
  const played = sandbox.control('POST', '/payments', { ...DIRECT_DEBIT, item: item.id })
  await sandbox.control('GET', '/clock')
  await sandbox.call('DELETE', `/webhooks/${uuid}`)

  answer.resolve(200)
  const { body } = await played

  expect([body.step, body.steps]).toEqual([3, 3])
  expect(sandbox.attempts.length).toBe(1)
})

test('a step waits for no notification of another payment or object', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 1 ? new Promise(() => {}) : 200) })
  await sandbox.register()
  await sandbox.control('POST', '/objects/items', { name: 'Its receiver hangs' })

  const { body } = await sandbox.control('POST', '/payments', DIRECT_DEBIT)

  expect([body.step, body.steps]).toEqual([3, 3])
})

test('a step waits after a restart for the notification that the stop cut off', async () => {
  const database = createMemoryDatabase()
  const first = testSandbox({
    store: database.open(),
    script: (_, index) => (index === 1 ? new Promise(() => {}) : 200),
  })
  await registerBatches(first)
  void first.control('POST', '/payments', DIRECT_DEBIT)
  await expect.poll(() => first.transport.messages.length).toBe(2)

  const answer = Promise.withResolvers<number>()
  const second = testSandbox({
    store: database.open(),
    script: (_, index) => (index === 0 ? answer.promise : 200),
  })
  await expect.poll(() => second.transport.messages.length).toBe(1)
  await second.control('GET', '/clock')
  expect(second.transport.messages.map(stateOf)).toEqual(['batched'])
  answer.resolve(200)

  await expect
    .poll(() => second.transport.messages.map(stateOf))
    .toEqual(['batched', 'bank_processing', 'successful'])
})
