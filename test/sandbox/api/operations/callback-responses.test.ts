import { expect, test } from 'vitest'
import type { Outcome } from '../../../../sandbox/engine/core/ports.ts'
import { ask, registerCallback } from '../../../support/requests.ts'
import { createItem, RECEIVER, START, testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'

const MINUTE = 60_000
const OTHER = 'https://localhost:9444/notifications/items/0a1b2c3d4e5f6071'
const BASIC = `Basic ${Buffer.from('sandbox@example.test:sandbox-token').toString('base64')}`
const silence = { kind: 'unanswered', reason: 'header_timeout', message: 'No answer within 10 s' } as const
const refusal = (status: number) => `Answered ${status}, but only 200 to 299 is a success`

async function responsesOf({ call }: TestSandbox, id: string) {
  const { body } = await call('GET', `/callbacks/${id}/responses`)
  return body.callback_responses
}

/** Accepts the test POST, then returns the given responses one by one. */
const after = (answers: readonly (number | Outcome)[]) => (_: unknown, index: number) =>
  index === 0 ? 200 : (answers[index - 1] ?? 200)

test.each([
  ['answered 204', 204, 'OK', 204],
  ['answered 503', 503, refusal(503), 503],
  ['not answered', silence, 'No answer within 10 s', null],
])('a callback response shows that the notification was %s', async (...[, answer, error, response_code]) => {
  const sandbox = testSandbox({ script: after([answer]) })
  const id = await registerCallback(sandbox)
  const item = await createItem(sandbox)

  const { body: list } = await sandbox.call('GET', `/callbacks/${id}/responses`)

  const [listed] = list.callback_responses
  expect([list.meta.total, listed]).toEqual([
    1,
    {
      id: listed.id,
      created_at: new Date(START).toISOString(),
      url: RECEIVER,
      payload: { items: item },
      response: { error },
      response_code,
    },
  ])
  const shown = await sandbox.call('GET', `/callbacks/${id}/responses/${listed.id}`)
  expect(shown).toEqual({ status: 200, body: { callback_responses: listed } })
})

test('a callback response is listed without a code until the receiver answers', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : answer.promise) })
  const id = await registerCallback(sandbox)
  await sandbox.control('POST', '/objects/items', {})

  const pending = await responsesOf(sandbox, id)
  answer.resolve(500)
  await sandbox.idle()

  expect(pending).toMatchObject([{ url: RECEIVER, response: { error: null }, response_code: null }])
  expect(await responsesOf(sandbox, id)).toEqual([
    { ...pending[0], response: { error: refusal(500) }, response_code: 500 },
  ])
})

test('a callback response shows the last attempt and its URL after a retry', async () => {
  const sandbox = testSandbox({
    readings: { 'callback-retry': 'as-webhooks' },
    script: ({ url }, index) => (index === 1 ? 500 : url === OTHER && index > 2 ? 202 : 200),
  })
  const id = await registerCallback(sandbox)
  await createItem(sandbox)
  await sandbox.call('PATCH', `/callbacks/${id}`, { url: OTHER })

  const failed = await responsesOf(sandbox, id)
  await sandbox.advance(START + 5 * MINUTE)

  expect(failed).toMatchObject([{ url: RECEIVER, response: { error: refusal(500) }, response_code: 500 }])
  expect(await responsesOf(sandbox, id)).toEqual([
    { ...failed[0], url: OTHER, response: { error: 'OK' }, response_code: 202 },
  ])
})

test('a callback lists its responses in pages, oldest first, with one response per notification', async () => {
  const sandbox = testSandbox()
  const id = await registerCallback(sandbox)
  const item = await createItem(sandbox, { name: 'First' })
  for (const name of ['Second', 'Second', 'Third']) {
    await sandbox.control('PATCH', `/objects/items/${item.id}`, { name })
  }
  await sandbox.idle()

  const answer = await ask(sandbox, `/callbacks/${id}/responses?limit=2&offset=1`, {
    method: 'GET',
    authorization: BASIC,
  })

  const names = answer.body.callback_responses.map(
    (response: { payload: { items: { name: string } } }) => response.payload.items.name,
  )
  expect([names, answer.body.meta]).toEqual([['Second', 'Third'], { limit: 2, offset: 1, total: 3 }])
})

test('a callback response can be read only through its own callback, and only until this callback is deleted', async () => {
  const sandbox = testSandbox()
  const webhook = await sandbox.register()
  const id = await registerCallback(sandbox)
  const other = await sandbox.call('POST', '/callbacks', { url: OTHER, object_type: 'users' })
  await createItem(sandbox)
  const [response] = sandbox.store.jobs(id)
  const [job] = sandbox.store.jobs(webhook)
  const show = (callback: string, rest: string | undefined) =>
    sandbox.call('GET', `/callbacks/${callback}/responses/${rest}`)

  const found = await show(id, response?.id)
  const strays = [
    await show(other.body.callbacks.id, response?.id),
    await show(webhook, job?.id),
    await show(id, job?.id),
    await show(id, 'x'),
  ]
  await sandbox.call('DELETE', `/callbacks/${id}`)

  const notFound = { status: 404, body: { errors: { id: ['not found'] } } }
  expect([found.status, strays]).toEqual([200, strays.map(() => notFound)])
  expect(await show(id, response?.id)).toEqual(notFound)
  expect(await sandbox.call('GET', `/webhooks/${webhook}/jobs/${response?.id}`)).toMatchObject({
    status: 404,
  })
})
