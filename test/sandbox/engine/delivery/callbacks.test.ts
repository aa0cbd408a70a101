import { expect, test } from 'vitest'
import type { Script } from '../../../support/scripted-transport.ts'
import {
  RECEIVER,
  START,
  testSandbox,
  type TestOptions,
  type TestSandbox,
} from '../../../support/test-sandbox.ts'
import { registerCallback } from '../../../support/requests.ts'

const MINUTE = 60_000
const DAYS = 3 * 24 * 60 * MINUTE
const CALLBACK = 'https://localhost:9444/callbacks/items/0a1b2c3d4e5f6071'
const AS_WEBHOOKS = { 'callback-retry': 'as-webhooks' }

const registered = (sandbox: TestSandbox) => registerCallback(sandbox, { url: CALLBACK })

async function createItem({ control, idle }: TestSandbox): Promise<string> {
  const { body } = await control('POST', '/objects/items', {})
  await idle()
  return body.id
}

/** Registers receivers for both generations. Both receivers accept the test POST. */
async function bothRegistered(notified: Script, options: TestOptions = {}) {
  const sandbox = testSandbox({
    ...options,
    script: (message, index) => (index < 2 ? 200 : notified(message, index)),
  })
  const webhook = await sandbox.register()
  const callback = await registered(sandbox)
  return { sandbox, webhook, callback }
}

/** Returns when each attempt of a registration started, in minutes after the trigger. */
function minutes({ store, attempts }: TestSandbox, registration: string): number[] {
  const jobs = new Set(store.jobs(registration).map(({ id }) => id))
  return attempts
    .filter(({ job_id }) => jobs.has(job_id))
    .map(({ started_at }) => (started_at - START) / MINUTE)
}

const LADDER = [0, 5, 25, 105, 425]

test.each([
  [{}, [0]],
  [{ 'retry-window': 'five-attempts' }, [0]],
  [AS_WEBHOOKS, LADDER],
  [{ ...AS_WEBHOOKS, 'retry-window': 'five-attempts' }, [...LADDER, 1705]],
])('a rejected callback with the readings %j is attempted at the minutes %j', async (readings, expected) => {
  const sandbox = testSandbox({ readings, script: (__, index) => (index === 0 ? 200 : 503) })
  const id = await registered(sandbox)
  await createItem(sandbox)
  await sandbox.advance(START + DAYS)

  expect(minutes(sandbox, id)).toEqual(expected)
  expect(sandbox.store.jobs(id)).toMatchObject([{ status: 'failed', next_due_at: null }])
})

test('each generation gets one job for each change, and both jobs have the same body', async () => {
  const { sandbox, webhook, callback } = await bothRegistered(() => 200)
  const item = await createItem(sandbox)
  await sandbox.control('PATCH', `/objects/items/${item}`, { name: 'Changed' })
  await sandbox.idle()

  const bodies = (id: string) => sandbox.store.jobs(id).map((job) => sandbox.store.jobBody(job))
  const generations = (id: string) => sandbox.store.jobs(id).map(({ generation }) => generation)

  expect(bodies(callback)).toEqual(bodies(webhook))
  expect(generations(webhook)).toEqual(['webhooks', 'webhooks'])
  expect(generations(callback)).toEqual(['callbacks', 'callbacks'])
  const urls = sandbox.transport.messages.slice(2).map(({ url }) => url)
  expect(urls).toEqual([RECEIVER, CALLBACK, RECEIVER, CALLBACK])
})

test.each([
  ['the callback', CALLBACK, [0], [0], {}],
  ['the webhook', RECEIVER, LADDER, [0], {}],
  ['a retried callback', CALLBACK, [0], LADDER, AS_WEBHOOKS],
])(
  'a delivery failure of %s does not affect the other generation',
  async (...[, failing, ofWebhook, ofCallback, readings]) => {
    const { sandbox, webhook, callback } = await bothRegistered(({ url }) => (url === failing ? 500 : 200), {
      readings,
    })
    await createItem(sandbox)
    await sandbox.advance(START + DAYS)

    expect([minutes(sandbox, webhook), minutes(sandbox, callback)]).toEqual([ofWebhook, ofCallback])
    expect(sandbox.store.jobs().map(({ url, status }) => [url, status])).toEqual(
      [RECEIVER, CALLBACK].map((url) => [url, url === failing ? 'failed' : 'success']),
    )
  },
)

test('a hanging callback does not block webhooks', async () => {
  const hanging = Promise.withResolvers<number>()
  const { sandbox, webhook, callback } = await bothRegistered(({ url }) =>
    url === CALLBACK ? hanging.promise : 200,
  )
  const statuses = (id: string) => sandbox.store.jobs(id).map(({ status }) => status)

  const { body } = await sandbox.control('POST', '/objects/items', {})
  await sandbox.control('PATCH', `/objects/items/${body.id}`, { name: 'Changed' })
  await sandbox.call('GET', '/webhooks')
  const meanwhile = [statuses(webhook), statuses(callback)]
  hanging.resolve(200)
  await sandbox.idle()

  expect(meanwhile).toEqual([
    ['success', 'success'],
    ['pending', 'pending'],
  ])
  expect([statuses(callback), sandbox.errors]).toEqual([['success', 'success'], []])
})

test.each([
  ['is disabled', 'PATCH', { enabled: false }, 'follow-registration', [0]],
  ['is deleted', 'DELETE', undefined, 'follow-registration', [0]],
  ['is for another type', 'PATCH', { object_type: 'users' }, 'follow-registration', [0]],
  ['has another URL', 'PATCH', { url: RECEIVER }, 'follow-registration', LADDER],
  ['is disabled', 'PATCH', { enabled: false }, 'frozen-url', LADDER],
] as const)(
  'when a callback %s before a retry (%s %j), its retries follow the option %s of the reading "pending-retries"',
  async (...[, method, sent, pending, expected]) => {
    const sandbox = testSandbox({
      readings: { ...AS_WEBHOOKS, 'pending-retries': pending },
      script: ({ body }) => (Buffer.from(body).includes('"message"') ? 200 : 503),
    })
    const id = await registered(sandbox)
    await createItem(sandbox)

    const { status } = await sandbox.call(method, `/callbacks/${id}`, sent)
    await sandbox.advance(START + DAYS)

    expect([status, minutes(sandbox, id)]).toEqual([200, expected])
    expect(sandbox.store.jobs(id)).toMatchObject([{ status: 'failed', next_due_at: null }])
  },
)
