import { expect, test } from 'vitest'
import { RECEIVER, START, testSandbox } from '../../../support/test-sandbox.ts'

test('the registrations of both generations are listed, webhooks first, each oldest first', async () => {
  const sandbox = testSandbox()
  const asked = [
    ['callbacks', { object_type: 'users' }],
    ['webhooks', { object_type: 'items' }],
    ['webhooks', { object_type: 'items', enabled: false }],
    ['callbacks', { object_type: 'items' }],
  ] as const
  for (const [generation, fields] of asked)
    await sandbox.call('POST', `/${generation}`, { url: RECEIVER, ...fields })

  const { status, body } = await sandbox.control('GET', '/registrations')

  const [first, second, third, fourth] = body.registrations.map(({ id }: { id: string }) => id)
  const rest = { url: RECEIVER, created_at: new Date(START).toISOString() }
  expect({ status, distinct: new Set([first, second, third, fourth]).size }).toEqual({
    status: 200,
    distinct: 4,
  })
  expect(body.registrations).toEqual([
    { generation: 'webhooks', id: first, object_type: 'items', enabled: true, ...rest },
    { generation: 'webhooks', id: second, object_type: 'items', enabled: false, ...rest },
    { generation: 'callbacks', id: third, object_type: 'users', enabled: true, ...rest },
    { generation: 'callbacks', id: fourth, object_type: 'items', enabled: true, ...rest },
  ])
})

test('a registration that is deleted is listed no more', async () => {
  const sandbox = testSandbox()
  await sandbox.call('DELETE', `/webhooks/${await sandbox.register()}`)

  expect((await sandbox.control('GET', '/registrations')).body).toEqual({ registrations: [] })
})

const wanted = (fields: object = {}) => ({
  generation: 'webhooks',
  object_type: 'items',
  url: RECEIVER,
  ...fields,
})

test('a receiver is registered in either generation once it answers the test POST, and its answer is told', async () => {
  const sandbox = testSandbox({ script: () => 202 })

  const webhook = await sandbox.control('POST', '/registrations', wanted())
  const callback = await sandbox.control('POST', '/registrations', wanted({ generation: 'callbacks' }))

  const { body: list } = await sandbox.control('GET', '/registrations')
  expect([webhook.status, callback.status]).toEqual([201, 201])
  expect(list.registrations).toEqual([webhook.body.registration, callback.body.registration])
  expect([webhook.body.test_status, callback.body.test_status]).toEqual([202, 202])
})

test('a receiver that refuses the test POST is not registered, and what it answered is said', async () => {
  const sandbox = testSandbox({ script: () => 500 })

  const { status, body } = await sandbox.control('POST', '/registrations', wanted())

  expect(status).toBe(422)
  expect(body.error).toMatchObject({ field: 'url' })
  expect(body.error.message).toContain('was answered 500')
  expect((await sandbox.control('GET', '/registrations')).body.registrations).toEqual([])
})

test.each([
  ['an object type of the other generation', { generation: 'callbacks', object_type: 'things' }, 422],
  ['an unknown object type', { object_type: 'things' }, 422],
  ['a URL that is not HTTPS', { url: 'http://localhost:9443/x' }, 422],
])('%s is not registered', async (_, fields, status) => {
  const sandbox = testSandbox()

  expect((await sandbox.control('POST', '/registrations', wanted(fields))).status).toBe(status)
})

test('only one registration of a type and generation is enabled, whoever enables it', async () => {
  const sandbox = testSandbox()
  const { body: first } = await sandbox.control('POST', '/registrations', wanted())
  const second = await sandbox.control('POST', '/registrations', wanted({ url: `${RECEIVER}/2` }))
  const change = (id: string, enabled: boolean) =>
    sandbox.control('PATCH', `/registrations/${id}`, { enabled })

  const disabled = await change(first.registration.id, false)
  const third = await sandbox.control('POST', '/registrations', wanted({ url: `${RECEIVER}/3` }))
  const refused = await change(first.registration.id, true)
  await change(third.body.registration.id, false)
  const enabled = await change(first.registration.id.slice(0, 8), true)

  expect([second.status, third.status, refused.status]).toEqual([409, 201, 409])
  expect(disabled.body).toEqual({ ...first.registration, enabled: false })
  expect(enabled.body).toEqual(first.registration)
  expect((await change('none-of-them', true)).status).toBe(404)
})
