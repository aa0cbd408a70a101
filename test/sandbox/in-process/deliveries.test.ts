import { expect, test } from 'vitest'
import { createExpectations, createInbox } from '../../../sandbox/in-process/deliveries.ts'
import { testSandbox } from '../../support/test-sandbox.ts'

test('what reached no receiver is no delivery, and what came is forgotten when the inbox is cleared', async () => {
  const sandbox = testSandbox()
  const inbox = createInbox(sandbox.realTime)
  const [job] = await jobOf(sandbox)
  const [made] = sandbox.attempts
  if (!job || !made) throw new Error('Cannot test without an attempt')

  for (const reason of ['connect_refused', 'blocked_address'] as const) {
    inbox.record(job, { ...made, status: null, reason })
  }
  const before = inbox.waiting.length
  inbox.record(job, { ...made, status: null, reason: 'header_timeout' })
  inbox.record(job, made)
  const taken = inbox.take(({ attempt }) => attempt.status === 200)
  const after = [inbox.waiting.length, inbox.consumed.length]
  inbox.clear()

  expect([before, taken?.job.id, after]).toEqual([0, job.id, [1, 1]])
  expect([inbox.waiting, inbox.consumed]).toEqual([[], []])
})

test('what went wrong inside is thrown instead', async () => {
  const sandbox = testSandbox()
  const inner = () => {
    throw new Error('The sandbox failed')
  }
  const ports = { inbox: createInbox(sandbox.realTime), rest: async () => {}, throwInner: inner }
  const { expectDelivery, expectNoDelivery } = createExpectations(sandbox, ports)

  await expect(expectDelivery({}, { timeoutMs: 0 })).rejects.toThrow('The sandbox failed')
  await expect(expectNoDelivery()).rejects.toThrow('The sandbox failed')
})

async function jobOf(sandbox: ReturnType<typeof testSandbox>) {
  await sandbox.register()
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()
  return sandbox.store.jobs()
}
