import { expect, test } from 'vitest'
import { RECEIVER, registeredSandbox, testSandbox } from '../../../support/test-sandbox.ts'
import { forged } from '../../../support/stores.ts'

const OTHER = 'https://localhost:9444/notifications/items/0a1b2c3d4e5f6071'

const refused = { kind: 'unanswered', reason: 'connect_refused', message: 'Nothing listens there' } as const

test('a webhook is created after a successful test POST', async () => {
  const sandbox = testSandbox()

  const { status, body } = await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: 'items' })

  expect(status).toBe(201)
  expect(body).toEqual({
    uuid: body.uuid,
    description: null,
    url: RECEIVER,
    http_method: 'post',
    object_type: 'items',
    enabled: true,
    created_at: '2026-01-01T00:00:00.000000000Z',
    updated_at: '2026-01-01T00:00:00.000000000Z',
    links: { self: `/webhooks/${body.uuid}`, jobs: `/webhooks/${body.uuid}/jobs` },
  })
  expect(
    sandbox.transport.messages.map((message) => [message.url, Buffer.from(message.body).toString()]),
  ).toEqual([[RECEIVER, '{"message":"Payments service notification test"}']])
})

test.each([
  ['answered 500', () => 500, 'was answered 500; it must be answered 200 to 299'],
  ['redirected', () => 302, 'was answered 302'],
  ['not answered', () => refused, 'failed (connect_refused): Nothing listens there'],
])('no webhook is created when the test POST is %s', async (_, script, message) => {
  const sandbox = testSandbox({ script })

  const { status, body } = await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: 'items' })

  expect([status, body.status]).toEqual([422, 'Unprocessable entity'])
  expect(body.message).toContain(message)
  expect(sandbox.store.length).toBe(0)
})

test.each([
  [{ url: RECEIVER }, 400, 'Required fields missing: object_type'],
  [{}, 400, 'Required fields missing: url, object_type'],
  [{ url: RECEIVER, object_type: 'gadgets' }, 422, 'Object Type gadgets is not a valid value of field'],
  [{ url: 'http://localhost:9443/x', object_type: 'items' }, 422, 'URL is not HTTPS'],
  [{ url: 'https://example.com/x', object_type: 'items' }, 422, '--allow-target example.com'],
  [{ url: 'https://127.0.0.1:4010/x', object_type: 'items' }, 422, 'sandbox'],
])('POST /webhooks rejects %j and sends nothing', async (sent, status, message) => {
  const sandbox = testSandbox()

  const answer = await sandbox.call('POST', '/webhooks', sent)

  expect(answer.status).toBe(status)
  expect(answer.body.message).toContain(message)
  expect([sandbox.transport.messages, sandbox.store.length]).toEqual([[], 0])
})

test('a second enabled webhook of one type is rejected, but a disabled webhook is accepted', async () => {
  const sandbox = await registeredSandbox()

  const second = await sandbox.call('POST', '/webhooks', { url: OTHER, object_type: 'items' })
  const sent = { url: OTHER, object_type: 'items', enabled: false }
  const disabled = await sandbox.call('POST', '/webhooks', sent)
  const enabling = await sandbox.call('PATCH', `/webhooks/${disabled.body.uuid}`, { enabled: true })

  expect([second.status, second.body.status]).toEqual([409, 'Already exists'])
  expect([disabled.status, enabling.status]).toEqual([201, 409])
})

test('a test POST is sent when the URL of a webhook changes, but not when a webhook is enabled', async () => {
  const sandbox = testSandbox({ script: ({ url }) => (url === OTHER ? 500 : 200) })
  const uuid = await sandbox.register()

  const changed = await sandbox.call('PATCH', `/webhooks/${uuid}`, { url: OTHER })
  await sandbox.call('PATCH', `/webhooks/${uuid}`, { enabled: false })
  const enabled = await sandbox.call('PATCH', `/webhooks/${uuid}`, { enabled: 'true' })

  expect(changed.status).toBe(422)
  expect([enabled.status, enabled.body.url, enabled.body.enabled]).toEqual([200, RECEIVER, true])
  expect(sandbox.transport.messages.map(({ url }) => url)).toEqual([RECEIVER, OTHER])
})

test('webhooks are listed in pages, oldest first', async () => {
  const sandbox = testSandbox()
  for (const object_type of ['items', 'users', 'accounts']) {
    await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type })
  }

  const { body } = await sandbox.call('GET', '/webhooks?limit=2&offset=1')

  expect(body.webhooks.map((webhook: { object_type: string }) => webhook.object_type)).toEqual([
    'users',
    'accounts',
  ])
  expect([body.meta, body.links]).toEqual([{ limit: 2, offset: 1, total: 3 }, { self: '/webhooks' }])
})

test('a deleted webhook is not found, and its type is free again', async () => {
  const sandbox = testSandbox()
  const uuid = await sandbox.register()

  const deleted = await sandbox.call('DELETE', `/webhooks/${uuid}`)
  const shown = await sandbox.call('GET', `/webhooks/${uuid}`)

  expect(deleted).toEqual({ status: 200, body: { status: 'Deleted', message: 'Successfully redacted' } })
  expect(shown).toEqual({ status: 404, body: { status: 'Not Found', message: 'resource not found' } })
  await sandbox.register()
})

test.each([
  ['https://localhost:9443', 'https://localhost:9443/'],
  ['HTTPS://LocalHost:9443/Hooks', 'https://localhost:9443/Hooks'],
  ['https://localhost:443/é?ü=1', 'https://localhost/%C3%A9?%C3%BC=1'],
])('a webhook keeps the given URL %s and sends notifications to %s', async (given, normalised) => {
  const sandbox = testSandbox()

  const created = await sandbox.call('POST', '/webhooks', { url: given, object_type: 'items' })
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()

  const listed = await sandbox.call('GET', '/webhooks')
  const { body: jobs } = await sandbox.control('GET', '/jobs')
  expect([created.status, created.body.url, listed.body.webhooks[0].url]).toEqual([201, given, given])
  expect([jobs.jobs[0].url, sandbox.attempts.map(({ url }) => url)]).toEqual([given, [given]])
  expect(sandbox.transport.messages.map(({ url }) => url)).toEqual([normalised, normalised])
})

test('the URL of a callback can change to another spelling of the same URL without a test POST', async () => {
  const sandbox = testSandbox()
  const url = 'https://localhost:9443'
  const { body } = await sandbox.call('POST', '/callbacks', { url, object_type: 'items' })

  const changed = await sandbox.call('PATCH', `/callbacks/${body.callbacks.id}`, { url: `${url}/` })

  expect([changed.status, changed.body.callbacks.url]).toEqual([200, `${url}/`])
  expect(sandbox.transport.messages.length).toBe(1)
})

const STRAY = ['%', '%2', '%zz', '|', '{', '}', '^', '"', '<', '>', '`']

test.each(STRAY.flatMap((stray) => [`/?a=${stray}`, `/${stray}`]))(
  'every operation rejects a URL with %s',
  async (rest) => {
    const sandbox = testSandbox()
    const [url, fine] = [`https://localhost:9443${rest}`, 'https://localhost:9443/']
    const { body: webhook } = await sandbox.call('POST', '/webhooks', { url: fine, object_type: 'users' })

    const answers = [
      await sandbox.call('POST', '/webhooks', { url, object_type: 'items' }),
      await sandbox.call('POST', '/callbacks', { url, object_type: 'items' }),
      await sandbox.call('PATCH', `/webhooks/${webhook.uuid}`, { url }),
      await sandbox.control('POST', '/registrations', { generation: 'webhooks', object_type: 'items', url }),
      await sandbox.control('POST', '/deliveries', { url, raw: '{}' }),
    ]
    const { body: snapshot } = await sandbox.control('GET', '/snapshot')
    const entries = JSON.parse(
      JSON.stringify(snapshot.entries).replace(`"${fine}"`, () => JSON.stringify(url)),
    )
    const put = await sandbox.control('PUT', '/snapshot', forged(snapshot, { entries }))

    expect([...answers, put].map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 422])
    expect(sandbox.transport.messages.length).toBe(1)
    expect((await sandbox.call('GET', '/webhooks')).status).toBe(200)
  },
)

test.each(['job', 'attempt'])('a snapshot whose %s has an invalid URL is rejected', async (kind) => {
  const sandbox = await registeredSandbox()
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()
  const { body: snapshot } = await sandbox.control('GET', '/snapshot')
  const entries = snapshot.entries.map(({ head, body }: { head: { kind: string }; body: string }) => ({
    head: head.kind === kind ? { ...head, url: 'https://' } : head,
    body,
  }))

  const { status, body } = await sandbox.control('PUT', '/snapshot', forged(snapshot, { entries }))

  expect([status, body.error.code]).toEqual([422, 'damaged_snapshot'])
})
