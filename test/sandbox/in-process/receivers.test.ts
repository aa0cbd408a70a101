import { expect, test, vi } from 'vitest'
import { createSandbox, type Receivers, type Sandbox } from '../../../sandbox/index.ts'
import { callbackTypes } from '../../../spec/delivery.ts'
import { notifiedTypes, type NotifiedType } from '../../../spec/notifications.ts'
import { parseNotification } from '../../../spec/parse-notification.ts'

async function notify(sandbox: Sandbox, type: NotifiedType): Promise<void> {
  const { id } = await sandbox.create(type)
  if (type === 'virtual_accounts') await sandbox.change(type, String(id), { status: 'active' })
}

test.each(notifiedTypes)('a receiver function receives the webhooks of %s', async (type) => {
  const requests: Request[] = []
  await using sandbox = await createSandbox({
    receivers: {
      [type](request: Request) {
        requests.push(request.clone())
        return new Response(null, { status: 204 })
      },
    },
  })

  await notify(sandbox, type)

  const [first, notification] = requests
  const body: unknown = await notification?.json()
  expect([requests.length, first?.url === notification?.url, notification?.method]).toEqual([2, true, 'POST'])
  expect(notification?.url).toMatch(new RegExp(`^https://receiver.test/notifications/${type}/[\\w-]{36}$`))
  expect(parseNotification(body)).toMatchObject({ ok: true, type })
  expect(await sandbox.expectDelivery({ object_type: type })).toMatchObject({
    generation: 'webhooks',
    attempt: 1,
    status: 204,
    reason: null,
    next_due_at: null,
    url: notification?.url,
    headers: { 'content-type': 'application/json' },
    body,
  })
})

test.each(callbackTypes('current').map((type) => type as keyof Receivers & NotifiedType))(
  'each generation of %s is received by its own receiver function',
  async (type) => {
    const urls: string[] = []
    const receiver = (name: string) => (request: Request) => {
      urls.push(`${name} ${new URL(request.url).pathname.split('/').slice(1, 3).join('/')}`)
      return new Response()
    }
    await using sandbox = await createSandbox({
      receivers: { [type]: { webhooks: receiver('new'), callbacks: receiver('old') } },
    })

    await notify(sandbox, type)

    const callback = await sandbox.expectDelivery({ object_type: type, generation: 'callbacks' })
    const webhook = await sandbox.expectDelivery({ object_type: type, generation: 'webhooks' })
    expect(callback.body).toEqual(webhook.body)
    expect(urls.toSorted()).toEqual([
      `new notifications/${type}`,
      `new notifications/${type}`,
      `old callbacks/${type}`,
      `old callbacks/${type}`,
    ])
  },
)

const accept = () => new Response()
const reject = () => new Response(null, { status: 500 })

test.each([
  [{ item: accept }, 'Cannot register a receiver of "item": the object types are items, '],
  [{ items: 'https://x.test' }, 'Cannot register a receiver of items: https://x.test is not a receiver.'],
  [{ items: { webhook: accept } }, 'Cannot register a receiver of items: "webhook" is not a receiver.'],
  [
    { virtual_accounts: { callbacks: accept } },
    'the service sends only webhooks for this type. Give { webhooks }',
  ],
  [{ bank_accounts: { callbacks: accept } }, 'Object Type bank_accounts is not a valid'],
  [{ users: { callbacks: reject } }, 'the test POST to https://receiver.test/callbacks/users/'],
])('createSandbox() rejects the receivers %j: %s', async (receivers, message) => {
  await expect(createSandbox({ receivers: receivers as Receivers })).rejects.toThrow(message)
})

test('a receiver finds the notified object in its collection', async () => {
  const found: unknown[] = []
  const held: { sandbox?: Sandbox } = {}
  await using sandbox = await createSandbox({
    receivers: {
      async items(request) {
        const { items } = JSON.parse(await request.text())
        if (items)
          found.push(held.sandbox?.data.items.findFirst((query) => query.where({ id: items.id }))?.name)
        return new Response()
      },
    },
  })
  held.sandbox = sandbox

  const { id } = await sandbox.create('items', { name: 'Made' })
  await sandbox.change('items', id, { name: 'Changed' })

  expect(found).toEqual(['Made', 'Changed'])
})

test('the sandbox delivers while a test uses fake timers', async () => {
  vi.useFakeTimers()
  try {
    await using sandbox = await createSandbox({ receivers: { items: () => new Response() } })
    await sandbox.create('items')

    expect((await sandbox.expectDelivery({ object_type: 'items' })).status).toBe(200)
    await expect(sandbox.expectDelivery({}, { timeoutMs: 1 })).rejects.toThrow(
      'no matching delivery came within 1 ms',
    )
  } finally {
    vi.useRealTimers()
  }
})
