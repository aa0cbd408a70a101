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
