import { expect, test } from 'vitest'
import { forged } from '../../../support/forged-snapshot.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

test.each([
  ['https://localhost:9443', 'https://localhost:9443/'],
  ['HTTPS://LocalHost:9443/Hooks', 'https://localhost:9443/Hooks'],
  ['https://localhost:443/é?ü=1', 'https://localhost/%C3%A9?%C3%BC=1'],
])('a registration keeps %s as it was given, and is sent to %s', async (given, normalised) => {
  const sandbox = testSandbox()

  const created = await sandbox.call('POST', '/webhooks', { url: given, object_type: 'items' })
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()

  const listed = await sandbox.call('GET', '/webhooks')
  const { body: jobs } = await sandbox.control('GET', '/jobs')
  expect([created.status, created.body.url, listed.body.webhooks[0].url]).toEqual([201, given, given])
  expect([jobs.jobs[0].url, sandbox.attempts.map(({ url }) => url)]).toEqual([given, [given]])
  expect(sandbox.transport.messages.map(({ url }) => url)).toEqual([normalised, normalised])
  expect(sandbox.errors).toEqual([])
})

test('a URL that is only written in another way is kept without another test POST', async () => {
  const sandbox = testSandbox()
  const url = 'https://localhost:9443'
  const { body } = await sandbox.call('POST', '/callbacks', { url, object_type: 'items' })

  const changed = await sandbox.call('PATCH', `/callbacks/${body.callbacks.id}`, { url: `${url}/` })

  expect([changed.status, changed.body.callbacks.url]).toEqual([200, `${url}/`])
  expect(sandbox.transport.messages.length).toBe(1)
})

const STRAY = ['%', '%2', '%zz', '|', '{', '}', '^', '"', '<', '>', '`']

test.each(STRAY.flatMap((stray) => [`/?a=${stray}`, `/${stray}`]))(
  'every way to register refuses a URL with %s, before a test POST',
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

test.each(['job', 'attempt'])('a snapshot whose %s went to no URL is refused', async (kind) => {
  const sandbox = testSandbox()
  await sandbox.register()
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
