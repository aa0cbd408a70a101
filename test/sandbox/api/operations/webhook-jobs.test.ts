import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createItem, START, testSandbox } from '../../../support/test-sandbox.ts'

const MINUTE = 60_000

const nanoseconds = (time: number) => new Date(time).toISOString().replace('Z', '000000Z')

test('a job of a webhook shows its payload and each attempt', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 1 ? 503 : 200) })
  const uuid = await sandbox.register()
  const item = await createItem(sandbox)
  await sandbox.advance(START + 5 * MINUTE)
  sandbox.realTime.move(1_000)

  const list = await sandbox.call('GET', `/webhooks/${uuid}/jobs`)
  const [listed] = list.body.jobs
  const { body: job } = await sandbox.call('GET', `/webhooks/${uuid}/jobs/${listed.uuid}`)

  const sent = sandbox.transport.messages[1]?.body ?? new Uint8Array()
  expect(job).toEqual({
    uuid: listed.uuid,
    webhook_uuid: uuid,
    status: 'success',
    hashed_payload: createHash('sha256').update(sent).digest('hex'),
    payload: { items: item },
    created_at: nanoseconds(START),
    updated_at: nanoseconds(START + 5 * MINUTE),
    request_response: [
      {
        response_code: 503,
        message: 'Answered 503, but only 200 to 299 is a success',
        created_at: nanoseconds(START),
      },
      { response_code: 200, message: 'Answered 200', created_at: nanoseconds(START + 5 * MINUTE) },
    ],
    links: { self: `/webhooks/${uuid}/jobs/${listed.uuid}`, jobs: `/webhooks/${uuid}/jobs` },
  })
  expect(list.body.meta.total).toBe(1)
  expect(list.body.links).toEqual({ self: `/webhooks/${uuid}/jobs`, webhooks: `/webhooks/${uuid}` })
})

test('request_response omits the newest attempt until the attempt is recorded, but the status is current', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : 500) })
  const uuid = await sandbox.register()
  await createItem(sandbox)
  const look = async () => {
    const { body } = await sandbox.call('GET', `/webhooks/${uuid}/jobs`)
    return [body.jobs[0].status, body.jobs[0].request_response.length]
  }

  const before = await look()
  sandbox.realTime.move(199)
  const just = await look()
  sandbox.realTime.move(1)

  expect([before, just, await look()]).toEqual([
    ['failed', 0],
    ['failed', 0],
    ['failed', 1],
  ])
})

test('only attempts younger than the recording lag are missing after a clock advance', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : 500) })
  const uuid = await sandbox.register()
  await createItem(sandbox)
  const minutesAfter = async (by: string) => {
    await sandbox.control('POST', '/clock/advance', { by })
    const { body } = await sandbox.call('GET', `/webhooks/${uuid}/jobs`)
    const shown: readonly { readonly created_at: string }[] = body.jobs[0].request_response
    return shown.map(({ created_at }) => (Date.parse(created_at) - START) / MINUTE)
  }

  const atTheThird = await minutesAfter('25m')
  const justAfter = await minutesAfter('199ms')
  const afterTheLag = await minutesAfter('1ms')

  expect([atTheThird, justAfter, afterTheLag, await minutesAfter('1h')]).toEqual([
    [0, 5],
    [0, 5],
    [0, 5, 25],
    [0, 5, 25],
  ])
})

test('the status filter selects failed or successful jobs, including failed jobs with pending retries', async () => {
  const sandbox = testSandbox({ script: ({ body }) => (Buffer.from(body).includes('"Bad"') ? 500 : 200) })
  const uuid = await sandbox.register()
  const bad = await createItem(sandbox, { name: 'Bad' })
  const good = await createItem(sandbox, { name: 'Good' })
  const ids = async (query: string) => {
    const { body } = await sandbox.call('GET', `/webhooks/${uuid}/jobs${query}`)
    return body.jobs.map((job: { payload: { items: { id: string } } }) => job.payload.items.id)
  }

  expect(await ids('')).toEqual([bad.id, good.id])
  expect(await ids('?status=failed')).toEqual([bad.id])
  expect(await ids('?status=success')).toEqual([good.id])
  expect(await ids(`?object_id=${good.id}`)).toEqual([good.id])
  expect(sandbox.store.jobs()[0]?.next_due_at).toBe(START + 5 * MINUTE)
  expect(await sandbox.call('GET', `/webhooks/${uuid}/jobs?status=pending`)).toMatchObject({
    status: 400,
    body: { status: 'Invalid Status' },
  })
})

test.each([
  ['accounts', {}],
  ['batch_transactions', { type: 'disbursement', type_method: 'bpay' }],
])('the jobs of a webhook are found by the uuid and the integer id of %s', async (object_type, fields) => {
  const sandbox = testSandbox()
  const url = `https://localhost:9443/notifications/${object_type}/3f9c1d2ab47e8051`
  const { body: webhook } = await sandbox.call('POST', '/webhooks', { url, object_type })
  const { body: made } = await sandbox.control('POST', `/objects/${object_type}`, fields)
  await sandbox.control('POST', `/objects/${object_type}`, fields)
  await sandbox.idle()
  const found = async (id: unknown) => {
    const { body } = await sandbox.call('GET', `/webhooks/${webhook.uuid}/jobs?object_id=${String(id)}`)
    return body.jobs.map((job: { payload: object }) => job.payload)
  }

  const { id, uuid } = made.object
  expect([typeof id, await found(id), await found(uuid)]).toEqual([
    'number',
    [{ [object_type]: made.object }],
    [{ [object_type]: made.object }],
  ])
})

test('webhook records contain milliseconds when the reading "record-timestamps" requires milliseconds', async () => {
  const sandbox = testSandbox({
    readings: { 'record-timestamps': 'milliseconds', 'job-recording-lag': '0ms' },
  })
  const uuid = await sandbox.register()
  await createItem(sandbox)

  const { body: webhook } = await sandbox.call('GET', `/webhooks/${uuid}`)
  const { body: list } = await sandbox.call('GET', '/webhooks')
  const { body: jobs } = await sandbox.call('GET', `/webhooks/${uuid}/jobs`)

  const [job] = jobs.jobs
  const times = [webhook, list.webhooks[0], job, job.request_response[0]].map(({ created_at }) => created_at)
  expect(times).toEqual(times.map((time: string) => new Date(time).toISOString()))
})
