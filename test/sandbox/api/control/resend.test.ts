import { expect, test } from 'vitest'
import {
  type Answer,
  atRest,
  RECEIVER,
  START,
  type TestSandbox,
  testSandbox,
} from '../../../support/test-sandbox.ts'
import type { Script } from '../../../support/scripted-transport.ts'

const MINUTE = 60_000

/** A sandbox with one job. The script answers its attempts from 0. */
async function withJob(
  script: (attempt: number) => ReturnType<Script>,
  readings = {},
): Promise<TestSandbox & { readonly id: string; readonly resend: () => Promise<Answer> }> {
  const sandbox = testSandbox({ readings, script: (_, index) => (index === 0 ? 200 : script(index - 1)) })
  await sandbox.register()
  await sandbox.control('POST', '/objects/items', {})
  const id = sandbox.store.jobs()[0]?.id ?? ''
  return { ...sandbox, id, resend: () => sandbox.control('POST', `/jobs/${id}/resend`) }
}

const attemptsOf = ({ body }: Answer) =>
  body.attempts.map(({ number, manual, status }: Record<string, unknown>) => [number, manual, status])

test('a job that was delivered is not resent', async () => {
  const sandbox = await withJob(() => 200)
  await sandbox.idle()

  const { status, body } = await sandbox.resend()

  expect([status, body.error.code, body.error.field]).toEqual([409, 'conflict', 'id'])
  expect(body.error.message).toBe(`Cannot resend job "${sandbox.id}": it was delivered`)
  expect(sandbox.attempts.length).toBe(1)
})

test('a job in flight is not resent', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = await withJob(() => answer.promise)

  const { status, body } = await sandbox.resend()
  answer.resolve(500)
  await sandbox.idle()

  expect([status, body.error.message]).toEqual([
    409,
    `Cannot resend job "${sandbox.id}": an attempt of it is due or under way`,
  ])
  expect(sandbox.attempts.length).toBe(1)
})

test('simultaneous resends of a job send it once', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = await withJob((attempt) => (attempt === 0 ? 500 : answer.promise))
  await sandbox.idle()

  const both = [sandbox.resend(), sandbox.resend()]
  await sandbox.control('GET', '/clock')
  answer.resolve(200)
  const statuses = (await Promise.all(both)).map(({ status }) => status)

  expect([statuses.toSorted((a, b) => a - b), sandbox.attempts.length]).toEqual([[200, 409], 2])
})

test('a job before its first attempt is not resent', async () => {
  const sandbox = await withJob(() => 200)
  await sandbox.idle()
  const { registration_id, url } = sandbox.store.jobs()[0] ?? { registration_id: '', url: '' }
  const about = { object_type: 'items', object_id: 'x', revision: 1, state: null } as const
  const head = { kind: 'job', at: START + MINUTE, id: 'later', generation: 'webhooks' } as const
  await sandbox.store.commit([{ head: { ...head, ...about, registration_id, url }, body: '{}' }])

  const { status, body } = await sandbox.control('POST', '/jobs/later/resend')

  expect([status, body.error.message]).toEqual([409, 'Cannot resend job "later": it was not attempted yet'])
})

test('an exhausted job gets one manual attempt and no new schedule', async () => {
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
  expect(sandbox.attempts.map(({ number, manual = false }) => [number, manual])).toEqual([
    [1, false],
    [2, false],
    [3, false],
    [4, false],
    [5, false],
    [6, true],
  ])
})

test('a resent job that succeeds is a success in the service too', async () => {
  const sandbox = await withJob((attempt) => (attempt < 5 ? 503 : 200))
  await sandbox.control('POST', '/clock/advance', { by: '30h' })

  const { body } = await sandbox.resend()
  sandbox.realTime.move(1_000)
  const [job] = sandbox.store.jobs()
  const { body: shown } = await sandbox.call('GET', `/webhooks/${job?.registration_id}/jobs/${sandbox.id}`)

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

test('a retry that falls due during a manual attempt follows it', async () => {
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

test('a callback is not resent', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : 500) })
  await sandbox.call('POST', '/callbacks', { url: RECEIVER, object_type: 'items' })
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()

  const { status, body } = await sandbox.control('POST', `/jobs/${sandbox.store.jobs()[0]?.id}/resend`)

  expect([status, body.error.hint]).toEqual([409, 'send its body once more'])
  expect(body.error.message).toContain('it is a callback, and only webhooks are resent')
})

test.each([
  [
    'disabled',
    (sandbox: TestSandbox, id: string) => sandbox.call('PATCH', `/webhooks/${id}`, { enabled: false }),
  ],
  ['deleted', (sandbox: TestSandbox, id: string) => sandbox.call('DELETE', `/webhooks/${id}`)],
])('a job whose registration is %s is not resent', async (_, end) => {
  const sandbox = await withJob(() => 500)
  await sandbox.idle()
  await end(sandbox, sandbox.store.jobs()[0]?.registration_id ?? '')

  const { status, body } = await sandbox.resend()

  expect(status).toBe(409)
  expect(body.error.message).toContain('its registration is disabled or gone')
  expect(sandbox.attempts.length).toBe(1)
})

test('a resend uses the present URL of the registration', async () => {
  const sandbox = await withJob((attempt) => (attempt === 0 ? 500 : 200))
  await sandbox.idle()
  const url = 'https://localhost:9443/moved'
  await sandbox.call('PATCH', `/webhooks/${sandbox.store.jobs()[0]?.registration_id}`, { url })

  const { body } = await sandbox.resend()

  expect(body.attempts.map((attempt: { url: string }) => attempt.url)).toEqual([RECEIVER, url])
})
