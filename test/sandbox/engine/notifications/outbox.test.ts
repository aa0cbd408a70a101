import { expect, test } from 'vitest'
import { RECEIVER, registeredSandbox, type TestSandbox, testSandbox } from '../../../support/test-sandbox.ts'
import type { UnsubscribedTrigger } from '../../../../sandbox/engine/notifications/unsubscribed-triggers.ts'

test('an object change creates one job for the enabled registration in the same commit', async () => {
  const sandbox = await registeredSandbox()
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

test('an object change creates no job when no registration is enabled', async () => {
  const sandbox = testSandbox()

  const { body } = await sandbox.control('POST', '/objects/items', {})

  expect(body.notified).toEqual([])
  expect(sandbox.store.jobs()).toEqual([])
})

test('a change that does not change any value creates no revision and no job', async () => {
  const sandbox = await registeredSandbox()
  const { body } = await sandbox.control('POST', '/objects/items', { name: 'Same' })

  const again = await sandbox.control('PATCH', `/objects/items/${body.id}`, {
    name: 'Same',
    state: 'pending',
  })

  expect([again.body.revision, again.body.notified, again.body.object]).toEqual([1, [], body.object])
  expect(sandbox.store.jobs().length).toBe(1)
})

test('a hundred simultaneous changes create a hundred jobs, and each job contains the object state after its change', async () => {
  const sandbox = await registeredSandbox()
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

test('a notification body has the same bytes as the Show response', async () => {
  const sandbox = await registeredSandbox()
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

function listening(): { readonly sandbox: TestSandbox; readonly heard: string[] } {
  const heard: string[] = []
  const onUnsubscribed = ({ generation, object_type }: UnsubscribedTrigger) =>
    heard.push(`${generation} ${object_type}`)
  return { sandbox: testSandbox({ onUnsubscribed }), heard }
}

const changed = ({ control }: TestSandbox) => control('POST', '/objects/items', {})

test('a change to an object type that has no webhook registration is logged only once', async () => {
  const { sandbox, heard } = listening()

  await changed(sandbox)
  await changed(sandbox)

  expect(heard).toEqual(['webhooks items'])
})

test('a missing registration is reported again after a registration was enabled and disabled', async () => {
  const { sandbox, heard } = listening()
  await changed(sandbox)
  const uuid = await sandbox.register()
  await changed(sandbox)
  await sandbox.call('PATCH', `/webhooks/${uuid}`, { enabled: false })

  await changed(sandbox)
  await changed(sandbox)

  expect(heard).toEqual(['webhooks items', 'webhooks items'])
})

test.each([
  ['a callback of another type', [], ['users'], ['webhooks items', 'callbacks items']],
  ['a callback of its type', [], ['items'], []],
  ['a webhook of its type and a callback of another type', ['items'], ['users'], ['callbacks items']],
  ['a webhook of another type and a callback of its type', ['users'], ['items'], ['webhooks items']],
] as const)(
  'the sandbox reports the expected missing registrations when the platform has %s',
  async (...[, webhooks, callbacks, expected]) => {
    const { sandbox, heard } = listening()
    for (const object_type of webhooks)
      await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type })
    for (const object_type of callbacks)
      await sandbox.call('POST', '/callbacks', { url: RECEIVER, object_type })

    await changed(sandbox)

    expect(heard).toEqual(expected)
  },
)

test('an object that is seeded without notification causes no missing-registration report', async () => {
  const { sandbox, heard } = listening()
  const { body } = await changed(sandbox)
  heard.length = 0
  const object = { ...body.object, id: '0d6a1a8e-6d0f-4a9e-8f6e-2f5d3b1c9a77' }

  await sandbox.commit([{ kind: 'object', object_type: 'users', object, silent: true }])

  expect(heard).toEqual([])
})

test('a world reports no missing registration when it was reset with unsubscribed=ignore', async () => {
  const { sandbox, heard } = listening()
  await sandbox.control('POST', '/reset?unsubscribed=ignore')
  await changed(sandbox)
  expect(heard).toEqual([])

  await sandbox.control('POST', '/reset')
  await changed(sandbox)

  expect(heard).toEqual(['webhooks items'])
})
