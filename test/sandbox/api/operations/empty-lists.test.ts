import { expect, test } from 'vitest'
import { RECEIVER, testSandbox } from '../../../support/test-sandbox.ts'

const meta = (offset: number, total: number) => ({ limit: 10, offset, total })

test.each([
  ['omitted', {}, {}],
  ['empty', { callbacks: [] }, { callback_responses: [] }],
])('under %s a page of callbacks or responses without entries says so', async (option, none, noResponses) => {
  const sandbox = testSandbox({ readings: { 'empty-lists': option } })
  const links = { self: '/callbacks' }

  const before = await sandbox.call('GET', '/callbacks')
  const { body } = await sandbox.call('POST', '/callbacks', { url: RECEIVER, object_type: 'items' })
  const { callbacks: callback } = body
  const beyond = await sandbox.call('GET', '/callbacks?offset=1')
  const responses = await sandbox.call('GET', `/callbacks/${callback.id}/responses`)

  expect(before).toEqual({ status: 200, body: { ...none, meta: meta(0, 0), links } })
  expect(beyond).toEqual({ status: 200, body: { ...none, meta: meta(1, 1), links } })
  expect(responses).toEqual({
    status: 200,
    body: {
      ...noResponses,
      meta: meta(0, 0),
      links: { self: `/callbacks/${callback.id}/responses`, callbacks: `/callbacks/${callback.id}` },
    },
  })
  expect((await sandbox.call('GET', '/callbacks')).body.callbacks).toEqual([callback])
})

test('webhooks and jobs have their list even when it is empty', async () => {
  const sandbox = testSandbox({ readings: { 'empty-lists': 'omitted' } })

  const webhooks = await sandbox.call('GET', '/webhooks')
  const jobs = await sandbox.call('GET', `/webhooks/${await sandbox.register()}/jobs`)

  expect([webhooks.body.webhooks, jobs.body.jobs]).toEqual([[], []])
})
