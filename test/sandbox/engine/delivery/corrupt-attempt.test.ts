import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import {
  RECEIVER,
  registeredSandbox,
  START,
  type TestOptions,
  type TestSandbox,
  testSandbox,
} from '../../../support/test-sandbox.ts'
import { takeSandboxErrors } from '../../../support/sandbox-errors.ts'
import { createFailingDisk, openFileStore } from '../../../support/stores.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import type { HttpMessage } from '../../../../sandbox/engine/core/ports.ts'

const SIX_MINUTES = 360_000

/** Opens a sandbox whose store has failed jobs and damaged entries. */
async function openDamaged(isDamaged: (entry: Entry) => boolean, options: TestOptions = {}) {
  const path = join(temporaryFolder(), 'store.sqlite')
  const first = await registeredSandbox(() => 503, { store: openFileStore(path) })
  const { registration } = first
  for (const name of ['First', 'Second', 'Third']) await first.control('POST', '/objects/items', { name })
  for (const name of ['First', 'Second'])
    await first.control('POST', '/deliveries', { url: RECEIVER, body: { name } })
  await first.idle()
  const entries = [...first.store.entries()]
  await first.close()
  damage(
    path,
    entries.flatMap((entry, index) => (isDamaged(entry) ? [index + 1] : [])),
  )
  const sandbox = testSandbox({ store: openFileStore(path), startAt: START, ...options })
  onTestFinished(() => sandbox.close())
  return { sandbox, registration }
}

/** Damages bodies by removing their first byte. */
function damage(path: string, positions: readonly number[]): void {
  const database = new DatabaseSync(path)
  for (const position of positions)
    database.prepare(`UPDATE history SET body = substr(body, 2) WHERE position = ?`).run(position)
  database.close()
}

const isJobBody = ({ head, body }: Entry) => head.kind === 'job' && body.includes('Second')
const isObjectBody = ({ head, body }: Entry) => head.kind === 'object' && body.includes('Second')

test.each([
  ['body', isJobBody],
  ['object', isObjectBody],
])('a job with a damaged %s fails without an attempt, and other jobs are sent', async (_, isDamaged) => {
  const { sandbox } = await openDamaged(isDamaged)

  await sandbox.advance(START + SIX_MINUTES)

  const jobs = sandbox.store.jobs()
  expect(jobs.map(({ status, last, next_due_at }) => [status, last, next_due_at])).toEqual([
    ['success', '200', null],
    ['failed', 'corrupt', null],
    ['success', '200', null],
  ])
  const sent = sandbox.transport.messages.map(({ body }) => Buffer.from(body).toString())
  expect([sent.length, sent.filter((body) => body.includes('Secon'))]).toEqual([2, []])
})

test('both APIs show a job with a damaged body', async () => {
  const { sandbox, registration } = await openDamaged(isJobBody)
  await sandbox.advance(START + SIX_MINUTES)
  const [, damaged] = sandbox.store.jobs()
  // Waits longer than the recording lag. Reading: job-recording-lag
  sandbox.realTime.move(60_000)

  const page = await sandbox.control('GET', '/jobs')
  const detail = await sandbox.control('GET', `/jobs/${damaged?.id}`)
  const listed = await sandbox.call('GET', `/webhooks/${registration}/jobs`)

  expect(page.body.jobs.map(({ last }: { last: string }) => last)).toEqual(['200', 'corrupt', '200'])
  expect(detail.body).toMatchObject({ corrupt: true, attempts: [{}, { reason: 'corrupt', status: null }] })
  expect(detail.body.attempts[1].message).toContain('Not sent: the body in the store is damaged')
  expect([listed.status, listed.body.jobs.length]).toEqual([200, 3])
  expect(listed.body.jobs[1]).toMatchObject({ status: 'failed', payload: { items: { name: 'Second' } } })
  expect(listed.body.jobs[1].request_response.at(-1)).toMatchObject({
    response_code: null,
    message: expect.stringContaining('Not sent'),
  })
})

test('neither a resend nor a fault sends a job with a damaged body', async () => {
  const { sandbox } = await openDamaged(isJobBody)
  const [, damaged] = sandbox.store.jobs()
  await sandbox.control('POST', '/faults', { on: 'delivery', kind: 'duplicate' })

  const resent = await sandbox.control('POST', `/jobs/${damaged?.id}/resend`)

  expect([resent.status, resent.body.job.last, sandbox.transport.messages]).toEqual([200, 'corrupt', []])
})

test('an attempt still shows its result when its stored exchange is damaged', async () => {
  const { sandbox } = await openDamaged(
    ({ head, body }) => head.kind === 'attempt' && body.includes('Second'),
    { readings: { 'retry-body': 'current' } },
  )
  const [, job] = sandbox.store.jobs()

  const { status, body } = await sandbox.control('GET', `/jobs/${job?.id}`)

  expect(status).toBe(200)
  expect(body.attempts.map((attempt: { reason: string }) => attempt.reason)).toEqual(['http_503'])
})

test('a job is not sent when its object is damaged and the current body is required', async () => {
  const { sandbox } = await openDamaged(
    ({ head, body }) => head.kind === 'object' && body.includes('Second'),
    { readings: { 'retry-body': 'current' } },
  )

  await sandbox.advance(START + SIX_MINUTES)

  expect(sandbox.store.jobs().map(({ last }) => last)).toEqual(['200', 'corrupt', '200'])
  expect(sandbox.transport.messages.every(({ url }) => url === RECEIVER)).toBe(true)
})

test('an unreadable job is not listed', async () => {
  const { sandbox, registration } = await openDamaged(
    ({ head, body }) => (head.kind === 'job' || head.kind === 'object') && body.includes('Second'),
  )
  const [, damaged] = sandbox.store.jobs()

  const listed = await sandbox.call('GET', `/webhooks/${registration}/jobs`)
  const shown = await sandbox.call('GET', `/webhooks/${registration}/jobs/${damaged?.id}`)

  expect([listed.status, listed.body.jobs.length, shown.status]).toEqual([200, 2, 404])
})

test('an unreadable crafted delivery is not listed', async () => {
  const { sandbox } = await openDamaged(({ head, body }) => {
    const isSecond = JSON.stringify(body).includes(Buffer.from('{"name":"Second"}').toString('base64'))
    return head.kind === 'crafted' && isSecond
  })

  const { status, body } = await sandbox.control('GET', '/deliveries')

  expect([status, body.deliveries.length]).toEqual([200, 1])
})

// These tests write an entry whose sync then fails.

const nameOf = ({ body }: HttpMessage): string => JSON.parse(Buffer.from(body).toString('utf8')).items?.name

/** Returns the item names in the sent notifications, without the test POST. */
const posted = ({ transport }: TestSandbox): string[] => transport.messages.slice(1).map(nameOf)

/** A receiver that responds to the first notification when the test calls `answer`. */
function receiver() {
  const { promise, resolve } = Promise.withResolvers<number>()
  return {
    answer: () => resolve(200),
    script: (message: HttpMessage) => (nameOf(message) === 'Slow' ? promise : 200),
  }
}

/** Sends the first of two notifications about an item, while the second notification waits. */
async function sendFirstOfTwo(sandbox: TestSandbox): Promise<string> {
  await sandbox.register()
  const { body } = await sandbox.control('POST', '/objects/items', { name: 'Slow' })
  await sandbox.control('PATCH', `/objects/items/${body.id}`, { name: 'Second' })
  await expect.poll(() => posted(sandbox)).toEqual(['Slow'])
  return body.id
}

test('the next job of an object is sent when a full disk has free space again after a failed sync', async () => {
  const disk = createFailingDisk()
  const { script, answer } = receiver()
  const sandbox = testSandbox({ store: disk.open(), script })
  await sendFirstOfTwo(sandbox)

  disk.failSyncs('full')
  answer()
  await expect.poll(() => sandbox.store.problem?.kind).toBe('full')
  disk.repair()

  await expect
    .poll(() => {
      sandbox.realTime.move(100)
      return posted(sandbox)
    })
    .toEqual(['Slow', 'Second'])
})

test('an interrupted attempt is recorded once when the disk is full during the sync', async () => {
  const disk = createFailingDisk()
  const before = await registeredSandbox(() => new Promise(() => {}), { store: disk.open() })
  await before.control('POST', '/objects/items', { name: 'Before' })
  await expect.poll(() => posted(before)).toEqual(['Before'])

  disk.failSyncs('full')
  const again = testSandbox({ store: disk.open() })
  await expect.poll(() => again.store.problem?.kind).toBe('full')
  disk.repair()
  await expect
    .poll(() => {
      again.realTime.move(1_000)
      return again.store.jobs().map(({ status }) => status)
    })
    .toEqual(['success'])

  const attempts = again.store.jobs().flatMap((job) => again.store.attempts(job))
  expect(attempts.map(({ head }) => [head.number, head.reason ?? head.status])).toEqual([
    [1, 'interrupted'],
    [2, 200],
  ])
})

test('a closing sandbox records the end of an attempt after a full disk prevented the first write of this record', async () => {
  const disk = createFailingDisk()
  const sandbox = await registeredSandbox(() => 200, { store: disk.open() })
  disk.fail('full', (entries) => entries.some(({ head }) => head.kind === 'attempt'))
  sandbox.store.onProblem((problem) => {
    disk.repair()
    if (problem) sandbox.store.recover()
  })
  await sandbox.control('POST', '/objects/items', {})
  await expect.poll(() => sandbox.problems.length).toBe(2)

  await sandbox.close()

  const ends = [...sandbox.store.entries()].filter(({ head }) => head.kind === 'attempt')
  expect(ends).toHaveLength(1)
  expect(takeSandboxErrors()).toMatchObject([{ kind: 'full' }])
})
