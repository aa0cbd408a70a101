import { expect, test } from 'vitest'
import { ask, registerCallback, withoutEffect } from '../../../support/requests.ts'
import { RECEIVER, START, testSandbox } from '../../../support/test-sandbox.ts'

const OTHER = 'https://localhost:9444/notifications/items/0a1b2c3d4e5f6071'

const NOT_FOUND = { status: 404, body: { errors: { id: ['not found'] } } }

test('a callback is created after a successful test POST', async () => {
  const sandbox = testSandbox()

  const { status, body } = await sandbox.call('POST', '/callbacks', {
    url: RECEIVER,
    object_type: 'items',
    description: 'Shop',
  })

  const { id } = body.callbacks
  expect([status, body]).toEqual([
    201,
    {
      callbacks: {
        id,
        description: 'Shop',
        url: RECEIVER,
        object_type: 'items',
        enabled: true,
        created_at: new Date(START).toISOString(),
        updated_at: new Date(START).toISOString(),
        links: { self: `/callbacks/${id}`, responses: `/callbacks/${id}/responses` },
      },
    },
  ])
  expect(
    sandbox.transport.messages.map((message) => [message.url, Buffer.from(message.body).toString()]),
  ).toEqual([[RECEIVER, '{"message":"Payments service notification test"}']])
  expect(await sandbox.call('GET', `/callbacks/${id}`)).toEqual({ status: 200, body })
})

const INVALID = 'is not a valid value of field'

test.each([
  [{ url: RECEIVER }, 'object_type', 'Required fields missing: object_type'],
  [{ url: RECEIVER, object_type: 'gadgets' }, 'object_type', `Object Type gadgets ${INVALID}`],
  [{ url: 'http://localhost:9443/x', object_type: 'items' }, 'url', 'URL is not HTTPS'],
  [{ url: 'https://example.com/x', object_type: 'items' }, 'url', '--allow-target example.com'],
  [{ url: RECEIVER, object_type: 'items', enabled: 'perhaps' }, 'enabled', 'Enabled "perhaps" must be'],
])('POST /callbacks rejects %j and sends nothing', async (sent, field, message) => {
  const answer = await ask(testSandbox(), '/callbacks', { body: JSON.stringify(sent) })

  expect(answer).toMatchObject(withoutEffect(422))
  expect(answer.body).toEqual({ errors: { [field]: [expect.stringContaining(message)] } })
})

const BOTH = ['items', 'users', 'batch_transactions', 'transactions']
const CURRENT = ['accounts', 'disbursements', 'companies']

test.each([
  ['current', BOTH, 201],
  ['current', CURRENT, 201],
  ['earlier', BOTH, 201],
  ['earlier', ['bank_accounts'], 201],
])(
  'with the reading "callback-list" set to %s, POST /callbacks responds to each of the types %j with %d',
  async (list, types, status) => {
    const sandbox = testSandbox({ readings: { 'callback-list': list } })

    for (const object_type of types) {
      const sent = { url: RECEIVER, object_type }
      const { status: answered, body } = await sandbox.call('POST', '/callbacks', sent)
      expect([object_type, answered]).toEqual([object_type, status])
      expect(Object.keys(body.errors ?? body.callbacks)).toContain('object_type')
    }
  },
)

test.each([
  ['current', ['gadgets', 'bank_accounts', 'virtual_accounts'], [...BOTH, ...CURRENT]],
  ['earlier', ['gadgets', 'accounts', 'virtual_accounts'], [...BOTH, 'bank_accounts']],
])(
  'with the reading "callback-list" set to %s, a rejected callback names the valid types (rejected types: %j)',
  async (list, types, taken) => {
    const sandbox = testSandbox({ readings: { 'callback-list': list } })
    const created = await sandbox.call('POST', '/callbacks', { url: RECEIVER, object_type: 'items' })
    const path = `/callbacks/${created.body.callbacks.id}`

    for (const object_type of types) {
      const posted = await sandbox.call('POST', '/callbacks', { url: RECEIVER, object_type })
      const patched = await sandbox.call('PATCH', path, { object_type })

      for (const { status, body } of [posted, patched]) {
        const [message] = body.errors.object_type
        const [start, names] = message.split(': it takes ')
        expect([status, start]).toEqual([422, `Object Type ${object_type} ${INVALID}`])
        expect(names.split(', ').toSorted()).toEqual(taken.toSorted())
      }
    }
  },
)

test.each([
  ['GET', '', undefined],
  ['PATCH', '', { url: OTHER }],
  ['DELETE', '', undefined],
  ['GET', '/responses/x', undefined],
])('%s answers 404 for an unknown callback or a webhook: %s %j', async (method, rest, sent) => {
  const sandbox = testSandbox()
  const webhook = await sandbox.register()
  const deleted = await registerCallback(sandbox)
  await sandbox.call('DELETE', `/callbacks/${deleted}`)

  for (const id of ['x', '__proto__', webhook, deleted]) {
    expect(await sandbox.call(method, `/callbacks/${id}${rest}`, sent)).toEqual(NOT_FOUND)
  }
  expect([sandbox.transport.messages.length, sandbox.errors]).toEqual([2, []])
})

test('a deleted callback is not found, and its type is free again', async () => {
  const sandbox = testSandbox()
  const id = await registerCallback(sandbox)

  const deleted = await sandbox.call('DELETE', `/callbacks/${id}`)

  expect(deleted).toEqual({ status: 200, body: { callbacks: 'Successfully redacted' } })
  expect(await sandbox.call('GET', `/callbacks/${id}`)).toEqual(NOT_FOUND)
  expect(await registerCallback(sandbox)).not.toBe(id)
})
