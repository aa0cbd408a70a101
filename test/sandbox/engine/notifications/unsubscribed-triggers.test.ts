import { expect, test } from 'vitest'
import type { UnsubscribedTrigger } from '../../../../sandbox/engine/notifications/unsubscribed-triggers.ts'
import { RECEIVER, testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'

function listening(): { readonly sandbox: TestSandbox; readonly heard: string[] } {
  const heard: string[] = []
  const onUnsubscribed = ({ generation, object_type }: UnsubscribedTrigger) =>
    heard.push(`${generation} ${object_type}`)
  return { sandbox: testSandbox({ onUnsubscribed }), heard }
}

const changed = ({ control }: TestSandbox) => control('POST', '/objects/items', {})

async function registerCallback({ call }: TestSandbox, object_type: string): Promise<void> {
  const { status } = await call('POST', '/callbacks', { url: RECEIVER, object_type })
  expect(status).toBe(201)
}

test('a type that nobody is registered for is reported once, for webhooks', async () => {
  const { sandbox, heard } = listening()

  await changed(sandbox)
  await changed(sandbox)

  expect(heard).toEqual(['webhooks items'])
})

test('it is reported again when its registration was disabled', async () => {
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
  ['a callback of another type', ['users'], ['webhooks items', 'callbacks items']],
  ['a callback of its type', ['items'], []],
] as const)('with %s, what nobody hears is reported', async (_, types, expected) => {
  const { sandbox, heard } = listening()
  for (const type of types) await registerCallback(sandbox, type)

  await changed(sandbox)

  expect(heard).toEqual(expected)
})

test('with a webhook of its type and a callback of another, the callback is missed', async () => {
  const { sandbox, heard } = listening()
  await sandbox.register()
  await registerCallback(sandbox, 'users')

  await changed(sandbox)

  expect(heard).toEqual(['callbacks items'])
})

test('with a webhook of another type and a callback of its type, the webhook is missed', async () => {
  const { sandbox, heard } = listening()
  await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: 'users' })
  await registerCallback(sandbox, 'items')

  await changed(sandbox)

  expect(heard).toEqual(['webhooks items'])
})

test('what is seeded without notification is not reported', async () => {
  const { sandbox, heard } = listening()
  const { body } = await changed(sandbox)
  heard.length = 0
  const object = { ...body.object, id: '0d6a1a8e-6d0f-4a9e-8f6e-2f5d3b1c9a77' }

  await sandbox.commit([{ kind: 'object', object_type: 'users', object, silent: true }])

  expect(heard).toEqual([])
})

test('nothing is reported in a world that was begun for who notifies by himself, until it is replaced', async () => {
  const { sandbox, heard } = listening()
  await sandbox.control('POST', '/reset?unsubscribed=ignore')
  await changed(sandbox)
  expect(heard).toEqual([])

  await sandbox.control('POST', '/reset')
  await changed(sandbox)

  expect(heard).toEqual(['webhooks items'])
})
