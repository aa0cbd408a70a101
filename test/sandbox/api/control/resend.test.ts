import { expect, test } from 'vitest'
import {
  atRest,
  makeItems,
  RECEIVER,
  sandboxWithJob,
  START,
  testSandbox,
} from '../../../support/test-sandbox.ts'
import { registerCallback } from '../../../support/requests.ts'
import type { Script } from '../../../support/scripted-transport.ts'

async function withJob(script: (attempt: number) => ReturnType<Script>) {
  const sandbox = await sandboxWithJob(script)
  return { ...sandbox, resend: () => sandbox.control('POST', `/jobs/${sandbox.job}/resend`) }
}

test('two simultaneous resends of a job send the job once', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = await withJob((attempt) => (attempt === 0 ? 500 : answer.promise))

  const both = [sandbox.resend(), sandbox.resend()]
  await sandbox.control('GET', '/clock')
  answer.resolve(200)
  const statuses = (await Promise.all(both)).map(({ status }) => status)

  expect([statuses.toSorted((a, b) => a - b), sandbox.attempts.length]).toEqual([[200, 409], 2])
})

test('a resend of an exhausted job makes one attempt and no further retry', async () => {
  const sandbox = await withJob(() => 503)
  await sandbox.control('POST', '/clock/advance', { by: '30h' })

  const { status, body } = await sandbox.resend()
  await sandbox.control('POST', '/clock/advance', { by: '30d' })

  expect(status).toBe(200)
  expect(body.job).toMatchObject({ status: 'failed', attempts: 6, next_due_at: null, last: 'http_503' })
  expect(body.attempts.at(-1)).toMatchObject({ number: 6, manual: true, next_due_at: null })
  expect(sandbox.attempts.length).toBe(6)
})

test('the service API shows a resent job as successful when the attempt succeeds', async () => {
  const sandbox = await withJob((attempt) => (attempt < 5 ? 503 : 200))
  await sandbox.control('POST', '/clock/advance', { by: '30h' })

  const { body } = await sandbox.resend()
  sandbox.realTime.move(1_000)
  const { body: shown } = await sandbox.call('GET', `/webhooks/${sandbox.registration}/jobs/${sandbox.job}`)

  expect([body.job.status, body.job.last]).toEqual(['success', '200'])
  expect([shown.status, shown.request_response.length]).toEqual(['success', 6])
  expect((await sandbox.resend()).status).toBe(409)
})

test('a successful manual attempt ends the retries', async () => {
  const sandbox = await withJob((attempt) => (attempt === 0 ? 500 : 200))

  const answer = await sandbox.resend()
  const { body } = await sandbox.control('POST', '/clock/advance', { by: '30h' })

  expect(answer.body.job).toMatchObject({ status: 'success', next_due_at: null })
  expect(answer.body.attempts).toMatchObject([
    { manual: false, status: 500 },
    { manual: true, status: 200 },
  ])
  expect(body.attempts).toBe(0)
})

test('a retry that falls due during a manual attempt starts after the manual attempt', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = await withJob((attempt) => (attempt === 1 ? answer.promise : 500))

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

test.each([
  ['the job was delivered', 'the job was delivered', 200, undefined],
  ['its registration is disabled', DISABLED, 500, 'PATCH'],
  ['its registration is deleted', DISABLED, 500, 'DELETE'],
])('a job is not resent when %s', async (...[, message, status, method]) => {
  const sandbox = await withJob(() => status)
  if (method) await sandbox.call(method, `/webhooks/${sandbox.registration}`, { enabled: false })

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
  const url = 'https://localhost:9443/moved'
  await sandbox.call('PATCH', `/webhooks/${sandbox.registration}`, { url })

  const { body } = await sandbox.resend()

  expect(body.attempts.map((attempt: { url: string }) => attempt.url)).toEqual([RECEIVER, url])
})
