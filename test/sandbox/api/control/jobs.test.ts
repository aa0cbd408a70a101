import { expect, test } from 'vitest'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import {
  makeItems,
  RECEIVER,
  registeredSandbox,
  sandboxWithJob,
  START,
  testSandbox,
} from '../../../support/test-sandbox.ts'

const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString()

test('a job shows its request and its response immediately after an attempt', async () => {
  const answer = {
    status: 500,
    headers: [['x-trace', 'a'] as [string, string]],
    body: Buffer.from('out of order'),
  }
  const { control, item, job } = await sandboxWithJob(() => ({ kind: 'answered', ...answer }))

  const { body } = await control('GET', `/jobs/${job}`)

  const { body: created } = await control('GET', `/objects/items/${item}`)
  expect(body.job).toMatchObject({ status: 'failed', attempts: 1, next_due_at: at(5), last: 'http_500' })
  expect(body.attempts).toMatchObject([
    {
      number: 1,
      status: 500,
      reason: 'http_500',
      request: { body: JSON.stringify({ items: created.object }) },
      response: { status: 500, headers: answer.headers, body: 'out of order' },
    },
  ])
})

test('GET /jobs finds the jobs of both generations by any ID of an account', async () => {
  const sandbox = testSandbox({ readings: { 'callback-list': 'earlier' } })
  await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: 'accounts' })
  await sandbox.call('POST', '/callbacks', { url: RECEIVER, object_type: 'bank_accounts' })
  const { body } = await sandbox.control('POST', '/objects/accounts', { account_type_id: 9100 })
  const { uuid, id } = body.object
  await sandbox.control('PATCH', `/objects/accounts/${uuid}`, { enabled: false })

  for (const object_id of [uuid, id]) {
    const page = await sandbox.control('GET', `/jobs?object_id=${object_id}`)
    const types = page.body.jobs.map(({ object_type }: { readonly object_type: string }) => object_type)
    expect(types).toEqual(['accounts', 'accounts', 'bank_accounts'])
  }
})

test('GET /jobs lists each job once when objects of two types have the same ID', async () => {
  const { store, control, registration } = await registeredSandbox()
  const entries = (['users', 'items', 'users'] as const).flatMap((object_type, index): readonly Entry[] => {
    const about = { at: START, object_type, revision: index + 1 }
    const job = {
      generation: 'webhooks',
      registration_id: registration,
      object_id: 'twin',
      state: null,
    } as const
    return [
      { head: { ...about, kind: 'object', id: 'twin' }, body: '{}' },
      { head: { ...about, ...job, kind: 'job', id: `job-${index}`, url: RECEIVER }, body: '{}' },
    ]
  })
  await store.commit(entries)

  const { body } = await control('GET', '/jobs?object_id=twin')

  expect(body.jobs.map(({ id }: { readonly id: string }) => id)).toEqual(['job-0', 'job-1', 'job-2'])
})

test('the current body of a job contains the object changes made after the job was sent', async () => {
  const { control, item, job } = await sandboxWithJob()

  const same = await control('GET', `/jobs/${job}/current-body`)
  await control('PATCH', `/objects/items/${item}`, { name: 'after' })
  const later = await control('GET', `/jobs/${job}/current-body`)
  const { body: detail } = await control('GET', `/jobs/${job}`)

  expect(same.body.body).toBe(detail.attempts[0].request.body)
  expect(JSON.parse(later.body.body).items).toMatchObject({ id: item, name: 'after' })
  expect((await control('GET', '/jobs/none/current-body')).status).toBe(404)
})

test('the timeline lists each job with its attempts and its payment', async () => {
  const sandbox = await registeredSandbox((attempt) => (attempt === 0 ? 503 : 204))
  const [item] = await makeItems(sandbox, 1)
  await sandbox.control('POST', '/payments', { kind: 'card-payin', item })
  await sandbox.idle()
  await sandbox.control('POST', '/clock/advance', { by: '5m' })

  const { body: timeline } = await sandbox.control('GET', '/timeline')
  const { body: payments } = await sandbox.control('GET', '/payments')
  const { body: jobs } = await sandbox.control('GET', '/jobs')

  const { id, kind, outcome, amount, currency, step, steps } = payments.payments[0]
  expect(timeline.payments).toEqual([{ id, kind, outcome, amount, currency, step, steps }])
  expect(timeline.jobs.map(({ job }: { job: unknown }) => job)).toEqual(jobs.jobs)
  expect(new Set(jobs.jobs.map(({ payment_id }: { payment_id: string }) => payment_id))).toEqual(
    new Set([payments.payments[0].id]),
  )
  expect(timeline.jobs.slice(0, 1)).toMatchObject([
    {
      job: { status: 'success', window_ends_at: null },
      attempts: [
        { number: 1, at: at(0), status: 503, reason: 'http_503', manual: false },
        { number: 2, at: at(5), status: 204, reason: null, manual: false },
      ],
    },
  ])
})

test('the reading "retry-window" determines when the retry window of a failed job ends', async () => {
  const sandbox = await sandboxWithJob(() => 503, { readings: { 'retry-window': 'five-attempts' } })

  const { body: within } = await sandbox.control('GET', '/timeline')
  await sandbox.control('PATCH', '/readings', { 'retry-window': '24h' })
  const { body: day } = await sandbox.control('GET', '/timeline')

  expect([within.jobs[0].job.window_ends_at, day.jobs[0].job.window_ends_at]).not.toEqual([null, null])
  expect(Date.parse(day.jobs[0].job.window_ends_at)).toBeLessThan(
    Date.parse(within.jobs[0].job.window_ends_at),
  )
})

test('the timeline lists each call with its object', async () => {
  const sandbox = await sandboxWithJob()
  await sandbox.call('GET', `/items/${sandbox.item}`)
  await sandbox.call('GET', '/items/unknown')

  const { body: timeline } = await sandbox.control('GET', '/timeline')
  const { body: requests } = await sandbox.control('GET', '/requests?operation=showItem')

  expect(timeline.calls).toEqual([
    {
      id: requests.requests[0].id,
      at: at(0),
      object_type: 'items',
      object_id: sandbox.item,
      operation: 'showItem',
      status: 200,
      faults: [],
    },
  ])
  expect(requests.requests.map(({ kept_id: id }: { kept_id: string }) => id)).toEqual([sandbox.item, null])
})

test('the pages of the timeline go from the newest to the oldest job', async () => {
  const sandbox = await registeredSandbox()
  await makeItems(sandbox, 7)
  await sandbox.idle()

  const pages: string[][] = []
  for (let query = '?limit=3'; query !== '';) {
    const { body } = await sandbox.control('GET', `/timeline${query}`)
    pages.push(body.jobs.map(({ job }: { job: { id: string } }) => job.id))
    query = body.before === null ? '' : `?limit=3&before=${body.before}`
  }

  expect(pages.map(({ length }) => length)).toEqual([3, 3, 1])
  expect(pages.toReversed().flat()).toEqual(sandbox.store.jobs().map(({ id }) => id))
})

test('the timeline of an empty world is empty, and an invalid cursor is rejected', async () => {
  const sandbox = testSandbox()
  const empty = await sandbox.control('GET', '/timeline')
  const refused = await sandbox.control('GET', '/timeline?before=last')

  expect(empty.body).toEqual({ jobs: [], payments: [], calls: [], older: 0, before: null })
  expect([refused.status, refused.body.error.field]).toEqual([422, 'before'])
})

test('the timeline finds jobs by text in a body or header regardless of letter case', async () => {
  const sandbox = await registeredSandbox()
  await sandbox.control('POST', '/objects/items', { name: 'A table of oak' })
  await sandbox.control('POST', '/objects/items', { name: 'A chair' })
  await sandbox.idle()
  const find = async (text: string) =>
    (await sandbox.control('GET', `/timeline?text=${encodeURIComponent(text)}`)).body.jobs.length

  expect([await find('OF OAK'), await find('content-type'), await find('nothing')]).toEqual([1, 2, 0])
})
