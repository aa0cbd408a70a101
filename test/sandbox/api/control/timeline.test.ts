import { expect, test } from 'vitest'
import { START, testSandbox } from '../../../support/test-sandbox.ts'

const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString()

test('the timeline has each job with its attempts, its payment and the end of its retries', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 1 ? 503 : 204) })
  await sandbox.register()
  await sandbox.control('POST', '/payments', { kind: 'card-payin' })
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

test('a job that failed has the end of its retries by the reading, and one that is never retried has none', async () => {
  const sandbox = testSandbox({
    script: (_, index) => (index === 0 ? 204 : 503),
    readings: { 'retry-window': 'five-attempts' },
  })
  await sandbox.register()
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()

  const { body: within } = await sandbox.control('GET', '/timeline')
  await sandbox.control('PATCH', '/readings', { 'retry-window': '24h' })
  const { body: day } = await sandbox.control('GET', '/timeline')

  expect([within.jobs[0].job.window_ends_at, day.jobs[0].job.window_ends_at]).not.toEqual([null, null])
  expect(Date.parse(day.jobs[0].job.window_ends_at)).toBeLessThan(
    Date.parse(within.jobs[0].job.window_ends_at),
  )
})

test('calls back are listed with their object, whichever id they asked by', async () => {
  const sandbox = testSandbox()
  await sandbox.register()
  const { body: item } = await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()
  await sandbox.call('GET', `/items/${item.id}`)
  await sandbox.call('GET', '/items/unknown')

  const { body: timeline } = await sandbox.control('GET', '/timeline')
  const { body: requests } = await sandbox.control('GET', '/requests?operation=showItem')

  expect(timeline.calls).toEqual([
    {
      id: requests.requests[0].id,
      at: at(0),
      object_type: 'items',
      object_id: item.id,
      operation: 'showItem',
      status: 200,
    },
  ])
  expect(requests.requests.map(({ kept_id: id }: { kept_id: string }) => id)).toEqual([item.id, null])
})

test('pages go from the newest to the oldest, complete and without repetition', async () => {
  const sandbox = testSandbox()
  await sandbox.register()
  for (let index = 0; index < 7; index++) await sandbox.control('POST', '/objects/items', {})
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

test('the end is an empty page, and a cursor that is none is refused', async () => {
  const sandbox = testSandbox()
  const empty = await sandbox.control('GET', '/timeline')
  const refused = await sandbox.control('GET', '/timeline?before=last')

  expect(empty.body).toEqual({ jobs: [], payments: [], calls: [], older: 0, before: null })
  expect([refused.status, refused.body.error.field]).toEqual([422, 'before'])
})
