import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/test-sandbox.ts'

test('a change makes one job for the enabled registration, in the same commit', async () => {
  const sandbox = testSandbox()
  await sandbox.register()
  const batches: string[][] = []
  let turn: string[] = []
  sandbox.store.subscribe((head) => {
    if (turn.length === 0) {
      queueMicrotask(() => {
        batches.push(turn)
        turn = []
      })
    }
    turn.push(head.kind)
  })

  await sandbox.control('POST', '/objects/items', {})

  expect(batches[0]).toEqual(['object', 'object', 'object', 'job'])
})

test('a change without an enabled registration makes no job', async () => {
  const sandbox = testSandbox()

  const { body } = await sandbox.control('POST', '/objects/items', {})

  expect(body.notified).toEqual([])
  expect(sandbox.store.jobs()).toEqual([])
})

test('a change that changes nothing makes no revision and no job', async () => {
  const sandbox = testSandbox()
  await sandbox.register()
  const { body } = await sandbox.control('POST', '/objects/items', { name: 'Same' })

  const again = await sandbox.control('PATCH', `/objects/items/${body.id}`, {
    name: 'Same',
    state: 'pending',
  })

  expect([again.body.revision, again.body.notified, again.body.object]).toEqual([1, [], body.object])
  expect(sandbox.store.jobs().length).toBe(1)
})

test('a hundred changes at once make a hundred jobs, each with the Show response of its own revision', async () => {
  const sandbox = testSandbox()
  await sandbox.register()
  const { body } = await sandbox.control('POST', '/objects/items', { amount: 0 })
  const changes = Array.from({ length: 100 }, (_, index) => ({ amount: index + 1 }))

  await Promise.all(changes.map((change) => sandbox.control('PATCH', `/objects/items/${body.id}`, change)))
  await sandbox.idle()

  const jobs = sandbox.store.jobs()
  const sent = sandbox.transport.messages.slice(1).map((message) => Buffer.from(message.body).toString())
  expect(jobs.map(({ revision }) => revision)).toEqual(Array.from({ length: 101 }, (_, index) => index + 1))
  expect(jobs.map((job) => JSON.parse(sandbox.store.jobBody(job)).items.amount)).toEqual([
    0,
    ...changes.map(({ amount }) => amount),
  ])
  expect(sent).toEqual(jobs.map((job) => sandbox.store.jobBody(job)))
})

test('a notification has the bytes of the Show response', async () => {
  const sandbox = testSandbox()
  await sandbox.register()
  const { body } = await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()

  const authorization = `Basic ${btoa('sandbox@example.test:sandbox-token')}`
  const shown = await sandbox.service(
    new Request(`http://service.test/items/${body.id}`, { headers: { authorization } }),
  )

  const [, message] = sandbox.transport.messages
  expect(await shown.text()).toBe(Buffer.from(message?.body ?? []).toString())
  expect(message?.headers).toEqual({
    'content-type': 'application/json',
    'user-agent': 'Hookbench-Delivery/0.1',
  })
})
