import { expect, test } from 'vitest'
import {
  type Answer,
  atRest,
  makeItems,
  RECEIVER,
  registeredSandbox,
  START,
  type TestSandbox,
  testSandbox,
} from '../../../support/test-sandbox.ts'
import { registerCallback } from '../../../support/requests.ts'
import type { Script } from '../../../support/scripted-transport.ts'

/** Creates a sandbox with one job. `script` answers its attempts, counted from 0. */
async function withJob(
  script: (attempt: number) => ReturnType<Script>,
  readings = {},
): Promise<ResendSandbox> {
  const sandbox = await registeredSandbox(script, { readings })
  await makeItems(sandbox, 1)
  const id = sandbox.store.jobs()[0]?.id ?? ''
  return { ...sandbox, id, resend: () => sandbox.control('POST', `/jobs/${id}/resend`) }
}

interface ResendSandbox extends TestSandbox {
  readonly registration: string
  readonly id: string
  readonly resend: () => Promise<Answer>
}

const attemptsOf = ({ body }: Answer) =>
  body.attempts.map(({ number, manual, status }: Record<string, unknown>) => [number, manual, status])

test('a job cannot be resent while an attempt is in flight', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = await withJob(() => answer.promise)

  const { status, body } = await sandbox.resend()
  answer.resolve(500)
  await sandbox.idle()

  expect([status, body.error.message]).toEqual([
    409,
    expect.stringContaining('of this job is due or in progress'),
  ])
  expect(sandbox.attempts.length).toBe(1)
})

test('two simultaneous resends of a job send the job once', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = await withJob((attempt) => (attempt === 0 ? 500 : answer.promise))
  await sandbox.idle()

  const both = [sandbox.resend(), sandbox.resend()]
  await sandbox.control('GET', '/clock')
  answer.resolve(200)
  const statuses = (await Promise.all(both)).map(({ status }) => status)

  expect([statuses.toSorted((a, b) => a - b), sandbox.attempts.length]).toEqual([[200, 409], 2])
})

test('a job cannot be resent before the job has its first attempt', async () => {
  const { store, control, registration: registration_id } = await withJob(() => 200)
  const about = { object_type: 'items', object_id: 'x', revision: 1, state: null, url: RECEIVER } as const
  const head = { kind: 'job', at: START + 60_000, id: 'later', generation: 'webhooks' } as const
  await store.commit([{ head: { ...head, ...about, registration_id }, body: '{}' }])

  const { status, body } = await control('POST', '/jobs/later/resend')

  expect([status, body.error.message]).toEqual([
    409,
    expect.stringContaining('the job has had no attempt yet'),
  ])
})

test('a resend of an exhausted job makes one attempt and no further retry', async () => {
  const sandbox = await withJob(() => 503)
  await sandbox.control('POST', '/clock/advance', { by: '30h' })

  const { status, body } = await sandbox.resend()
  await sandbox.control('POST', '/clock/advance', { by: '30d' })

  expect(status).toBe(200)
  expect(body.job).toMatchObject({ status: 'failed', attempts: 6, next_due_at: null, last: 'http_503' })
  expect(body.attempts.at(-1)).toMatchObject({
    number: 6,
    manual: true,
    status: 503,
    due_at: '2026-01-02T06:00:00.000Z',
    started_at: '2026-01-02T06:00:00.000Z',
    next_due_at: null,
  })
  expect(sandbox.attempts.map(({ manual = false }) => manual)).toEqual([
    ...Array.from({ length: 5 }, () => false),
    true,
  ])
})

test('the service API shows a resent job as successful when the attempt succeeds', async () => {
  const sandbox = await withJob((attempt) => (attempt < 5 ? 503 : 200))
  await sandbox.control('POST', '/clock/advance', { by: '30h' })

  const { body } = await sandbox.resend()
  sandbox.realTime.move(1_000)
  const { body: shown } = await sandbox.call('GET', `/webhooks/${sandbox.registration}/jobs/${sandbox.id}`)

  expect([body.job.status, body.job.last]).toEqual(['success', '200'])
  expect([shown.status, shown.request_response.length]).toEqual(['success', 6])
  expect((await sandbox.resend()).status).toBe(409)
})

test('a successful manual attempt ends the retries', async () => {
  const sandbox = await withJob((attempt) => (attempt === 0 ? 500 : 200))
  await sandbox.idle()

  const answer = await sandbox.resend()
  const { body } = await sandbox.control('POST', '/clock/advance', { by: '30h' })

  expect(answer.body.job).toMatchObject({ status: 'success', next_due_at: null })
  expect(attemptsOf(answer)).toEqual([
    [1, false, 500],
    [2, true, 200],
  ])
  expect(body.attempts).toBe(0)
})

test('a retry that falls due during a manual attempt starts after the manual attempt', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = await withJob((attempt) => (attempt === 1 ? answer.promise : 500))
  await sandbox.idle()

  await sandbox.control('PATCH', '/clock', { speed: 300 })
  const resent = sandbox.resend()
  await sandbox.control('GET', '/clock')
  sandbox.realTime.move(2_000)
  answer.resolve(500)
  await resent
  await atRest(sandbox)

  expect(
    sandbox.attempts.map(({ number, manual = false, due_at, started_at }) => {
      return [number, manual, due_at - START, started_at - START]
    }),
  ).toEqual([
    [1, false, 0, 0],
    [2, true, 0, 0],
    [3, false, 300_000, 600_000],
  ])
})

const DISABLED = 'the registration of the job is disabled or deleted'

test.each<[string, string, number, ((sandbox: ResendSandbox) => Promise<unknown>)?]>([
  ['the job was delivered', 'the job was delivered', 200],
  [
    'its registration is disabled',
    DISABLED,
    500,
    ({ call, registration }) => call('PATCH', `/webhooks/${registration}`, { enabled: false }),
  ],
  [
    'its registration is deleted',
    DISABLED,
    500,
    ({ call, registration }) => call('DELETE', `/webhooks/${registration}`),
  ],
])('a job is not resent when %s', async (...[, message, status, change]) => {
  const sandbox = await withJob(() => status)
  await sandbox.idle()
  await change?.(sandbox)

  const { status: refused, body } = await sandbox.resend()

  expect([refused, body.error.code, body.error.field]).toEqual([409, 'conflict', 'id'])
  expect(body.error.message).toContain(message)
  expect(sandbox.attempts.length).toBe(1)
})

test('a callback cannot be resent', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : 500) })
  await registerCallback(sandbox)
  await makeItems(sandbox, 1)
  await sandbox.idle()

  const { status, body } = await sandbox.control('POST', `/jobs/${sandbox.store.jobs()[0]?.id}/resend`)

  expect([status, body.error.hint]).toEqual([409, 'send the body of the job once more'])
})

test('a resent job uses the current URL of the registration', async () => {
  const sandbox = await withJob((attempt) => (attempt === 0 ? 500 : 200))
  await sandbox.idle()
  const url = 'https://localhost:9443/moved'
  await sandbox.call('PATCH', `/webhooks/${sandbox.registration}`, { url })

  const { body } = await sandbox.resend()

  expect(body.attempts.map((attempt: { url: string }) => attempt.url)).toEqual([RECEIVER, url])
})
