import { expect, test } from 'vitest'
import { RECEIVER, START, testSandbox } from '../../../support/test-sandbox.ts'

test('each attempt is shown at once with the whole request and response', async () => {
  const sandbox = testSandbox({
    script: (_, index) =>
      index === 0
        ? 200
        : { kind: 'answered', status: 500, headers: [['x-trace', 'a']], body: Buffer.from('out of order') },
  })
  const uuid = await sandbox.register()
  const created = await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()

  const { body: page } = await sandbox.control('GET', '/jobs')
  const { body } = await sandbox.control('GET', `/jobs/${page.jobs[0].id}`)

  expect(body.job).toEqual({
    id: page.jobs[0].id,
    generation: 'webhooks',
    registration_id: uuid,
    object_type: 'items',
    object_id: created.body.id,
    state: 'pending',
    status: 'failed',
    attempts: 1,
    created_at: new Date(START).toISOString(),
    next_due_at: new Date(START + 300_000).toISOString(),
    url: RECEIVER,
    last: 'http_500',
    payment_id: null,
    window_ends_at: new Date(START + 425 * 60_000).toISOString(),
  })
  expect(body.attempts).toMatchObject([
    {
      number: 1,
      status: 500,
      reason: 'http_500',
      request: { body: JSON.stringify({ items: created.body.object }) },
      response: { status: 500, headers: [['x-trace', 'a']], body: 'out of order' },
    },
  ])
})

test('the jobs of an object are found by any of its ids', async () => {
  const sandbox = testSandbox()
  await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: 'accounts' })
  const { body } = await sandbox.control('POST', '/objects/accounts', { account_type_id: 9700 })
  const { uuid, id } = body.object

  const found = await Promise.all(
    [uuid, id, 1].map((object_id) => sandbox.control('GET', `/jobs?object_id=${object_id}`)),
  )

  expect(found.map((page) => page.body.jobs.length)).toEqual([1, 1, 0])
})

test('the current body has changes since the job was sent', async () => {
  const sandbox = testSandbox()
  await sandbox.register()
  const { body: item } = await sandbox.control('POST', '/objects/items', { name: 'before' })
  await sandbox.idle()
  const id = sandbox.store.jobs()[0]?.id

  const same = await sandbox.control('GET', `/jobs/${id}/current-body`)
  await sandbox.control('PATCH', `/objects/items/${item.id}`, { name: 'after' })
  const later = await sandbox.control('GET', `/jobs/${id}/current-body`)
  const { body: detail } = await sandbox.control('GET', `/jobs/${id}`)

  expect(same.body.body).toBe(detail.attempts[0].request.body)
  expect(JSON.parse(later.body.body).items).toMatchObject({ id: item.id, name: 'after' })
  expect((await sandbox.control('GET', '/jobs/none/current-body')).status).toBe(404)
})

test('the current body is a bank account for the earlier callbacks', async () => {
  const sandbox = testSandbox({ readings: { 'callback-list': 'earlier' } })
  const asked = await sandbox.call('POST', '/callbacks', { url: RECEIVER, object_type: 'bank_accounts' })
  const { body: account } = await sandbox.control('POST', '/objects/accounts', { account_type_id: 9100 })
  await sandbox.control('PATCH', `/objects/accounts/${account.object.uuid}`, { enabled: false })
  await sandbox.idle()
  const id = sandbox.store.jobs().at(-1)?.id

  const { body } = await sandbox.control('GET', `/jobs/${id}/current-body`)

  expect(asked.status).toBe(201)
  expect(JSON.parse(body.body).bank_accounts.id).toBe(account.object.uuid)
})

test('a removed object has no current body', async () => {
  const sandbox = testSandbox()
  await sandbox.register()
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()
  const { registration_id, url } = sandbox.store.jobs()[0] ?? expect.fail()
  const about = { object_type: 'items', object_id: 'gone', revision: 1, state: null } as const
  const head = { kind: 'job', at: START, id: 'lonely', generation: 'webhooks' } as const
  await sandbox.store.commit([{ head: { ...head, ...about, registration_id, url }, body: '{}' }])

  const { status, body } = await sandbox.control('GET', '/jobs/lonely/current-body')

  expect([status, body]).toEqual([200, { body: null }])
})

const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString()

test('the timeline has each job with its attempts, its payment and the end of its retries', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 1 ? 503 : 204) })
  await sandbox.register()
  const { body: item } = await sandbox.control('POST', '/objects/items', {})
  await sandbox.control('POST', '/payments', { kind: 'card-payin', item: item.id })
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

test('a failed job has the end of its retries under the reading, and a job without retries has none', async () => {
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

test('calls are listed with their object for any of its ids', async () => {
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
      faults: [],
    },
  ])
  expect(requests.requests.map(({ kept_id: id }: { kept_id: string }) => id)).toEqual([item.id, null])
})

test('pages go from newest to oldest, complete and without repetition', async () => {
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

test('the end is an empty page, and an invalid cursor is rejected', async () => {
  const sandbox = testSandbox()
  const empty = await sandbox.control('GET', '/timeline')
  const refused = await sandbox.control('GET', '/timeline?before=last')

  expect(empty.body).toEqual({ jobs: [], payments: [], calls: [], older: 0, before: null })
  expect([refused.status, refused.body.error.field]).toEqual([422, 'before'])
})

test('a page has only jobs with a text in a body or header, whatever its case', async () => {
  const sandbox = testSandbox()
  await sandbox.register()
  await sandbox.control('POST', '/objects/items', { name: 'A table of oak' })
  await sandbox.control('POST', '/objects/items', { name: 'A chair' })
  await sandbox.idle()
  const find = async (text: string) =>
    (await sandbox.control('GET', `/timeline?text=${encodeURIComponent(text)}`)).body.jobs.length

  expect([await find('OF OAK'), await find('content-type'), await find('nothing')]).toEqual([1, 2, 0])
})
