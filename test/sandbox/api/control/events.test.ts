import { expect, test } from 'vitest'
import { readingValues } from '../../../../spec/readings.ts'
import type { Event } from '../../../../spec/generated/control-types.ts'
import { createEventLog } from '../../../../sandbox/api/control/events.ts'
import { controlValidators as validators } from '../../../../spec/validators.ts'
import { createRequestLog } from '../../../../sandbox/api/control/requests.ts'
import {
  atRest,
  makeItems,
  manualTime,
  RECEIVER,
  registeredSandbox,
  START,
  type TestSandbox,
  testSandbox,
} from '../../../support/test-sandbox.ts'
import { eventReader } from '../../../support/world-client.ts'
import { openMemoryStore } from '../../../support/stores.ts'

function follow({ bench }: Pick<TestSandbox, 'bench'>, after?: string): Promise<Response> {
  const headers = {
    authorization: 'Bearer bench-token',
    ...(after !== undefined && { 'last-event-id': after }),
  }
  return bench(new Request('http://bench.test/control/events', { headers }))
}

/** Reads `count` existing events. */
async function known(sandbox: TestSandbox, count: number, after = '0'): Promise<readonly Event[]> {
  const reader = eventReader(await follow(sandbox, after))
  const events = await reader.take(count)
  await reader.cancel()
  return events
}

/** Reads all events up to and including the next `world` event, which reports a replaced world. */
async function untilWorld(response: Response): Promise<readonly Event[]> {
  const reader = eventReader(response)
  const events: Event[] = []
  while (events.at(-1)?.type !== 'world') events.push(...(await reader.take(1)))
  return events
}

const typesOf = (events: readonly Event[]) => events.map(({ type }) => type)

/** Performs actions that cause every kind of event. */
async function lived(sandbox: TestSandbox): Promise<void> {
  await sandbox.control('PATCH', '/readings', { signature: 'hmac' })
  await sandbox.call('POST', '/webhooks/secret_key', { secret_key: 'k3Vq8ZrT1mXw6Yp0sDf4Gh7Jb2Nc5Le9' })
  const id = await sandbox.register()
  const { body: fault } = await sandbox.control('POST', '/faults', { on: 'delivery', kind: 'drop', times: 1 })
  await makeItems(sandbox, 1)
  await sandbox.idle()
  await sandbox.call('DELETE', `/webhooks/${id}`)
  await sandbox.control('DELETE', `/faults/${fault.id}`)
  await sandbox.control('POST', '/payments', { kind: 'npp-payin' })
  await sandbox.control('POST', '/deliveries', { url: RECEIVER, body: {} })
  await sandbox.control('POST', '/clock/advance', { by: '5m' })
  await sandbox.control('PATCH', '/clock', { speed: 2 })
  await sandbox.control('POST', '/reset')
  await atRest(sandbox)
}

test('every change of a sandbox causes a valid event in the correct order', async () => {
  const sandbox = testSandbox()
  const stream = await follow(sandbox)
  await lived(sandbox)

  const events = await untilWorld(stream)

  expect(events.filter((event) => !validators.Event(event))).toEqual([])
  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => `${START.toString(36)}-${index + 1}`))
  const expected = [
    'readings',
    'secret',
    'registration',
    'fault',
    'object',
    'job',
    'attempt',
    'registration_removed',
    'fault_removed',
    'payment',
    'delivery',
    'job_called_off',
    'clock',
    'world',
  ]
  const types = typesOf(events)
  expect(expected.map((type) => types.indexOf(type as Event['type'])).toSorted((a, b) => a - b)).toEqual(
    expected.map((type) => types.indexOf(type as Event['type'])),
  )
  expect(types.filter((type) => type === 'request').length).toBe(6)
})

test('an attempt and its job are sent as an event when the attempt ends', async () => {
  const sandbox = await registeredSandbox(() => 503)
  const reader = eventReader(await follow(sandbox))
  await makeItems(sandbox, 1)

  const [, , , job, attempt] = await reader.take(5)

  const { body } = await sandbox.control('GET', '/jobs')
  expect([job?.type, attempt?.type]).toEqual(['job', 'attempt'])
  expect(attempt?.data).toMatchObject({ job: body.jobs[0], number: 1, status: 503, reason: 'http_503' })
})

test('each event shows the job as it was at the time of the event', async () => {
  const sandbox = await registeredSandbox(() => 503)
  await makeItems(sandbox, 1)
  await sandbox.control('POST', '/clock/advance', { by: '5m' })

  const reader = eventReader(await follow(sandbox, '0'))
  const jobs: unknown[] = []
  while (jobs.length < 3) for (const { data } of await reader.take(1)) if (data['job']) jobs.push(data['job'])

  expect(jobs).toMatchObject([
    { status: 'pending', attempts: 0, last: null },
    { status: 'failed', attempts: 1, last: 'http_503' },
    { status: 'failed', attempts: 2, last: 'http_503' },
  ])
  expect(new Set(jobs.map((job) => Reflect.get(Object(job), 'next_due_at'))).size).toBe(3)
})

test('after a reset, the newest thousand events of the replaced world are still available', async () => {
  const sandbox = testSandbox()
  await sandbox.commit(
    Array.from({ length: 1_100 }, () => ({ kind: 'secret', secret_key: 's', set_at: START }) as const),
  )
  const before = await known(sandbox, 1_100)
  await sandbox.control('POST', '/reset')

  const [gap, ...after] = await untilWorld(await follow(sandbox, '0'))

  expect([gap?.type, after.at(-1)?.type, after.length]).toEqual(['gap', 'world', 1_001])
  expect(after.slice(0, 1_000)).toEqual(before.slice(100))
})

test('an event stream that starts after any event id contains all later events', async () => {
  const sandbox = testSandbox()
  await lived(sandbox)
  const all = await untilWorld(await follow(sandbox, '0'))

  for (const [index, { id }] of all.entries()) {
    const rest = all.slice(index + 1)
    const followed = eventReader(await follow(sandbox, id))
    await makeItems(sandbox, 1)
    const [next] = (await followed.take(rest.length + 1)).slice(rest.length)
    expect(await known(sandbox, rest.length, id)).toEqual(rest)
    expect(next?.type).toBe('object')
    await followed.cancel()
  }
})

test('an event stream begins with a gap event and all kept events when its event ID belongs to another run', async () => {
  const sandbox = testSandbox()
  await makeItems(sandbox, 1)
  const all = await known(sandbox, 3)

  const [gap, ...rest] = await known(sandbox, 4, 'otherrun-7')

  expect([gap?.type, gap?.data['after'], validators.Event(gap), rest]).toEqual([
    'gap',
    'otherrun-7',
    true,
    all,
  ])
  expect(await known(sandbox, 3, gap?.id)).toEqual(all)
})

const RESET = { type: 'world', data: { reason: 'reset' } } as const

test('when the requested event ID is too old, an event stream begins with a gap event and loses no later event', async () => {
  const realTime = manualTime()
  const store = openMemoryStore()
  const requests = createRequestLog(realTime)
  const log = createEventLog({ store, requests, readings: () => readingValues(), run: 'r', now: () => START })
  for (let index = 0; index < 40_000; index++) log.emit(RESET)
  const told: Event[] = []
  const cursor = log.follow('r-1', () => {})
  log.emit(RESET)
  for (let event = cursor.next(); event; event = cursor.next()) told.push(event)

  expect([told[0]?.type, told[0]?.id, told[1]?.id, told.at(-1)?.id, told.length]).toEqual([
    'gap',
    'r-20000',
    'r-20001',
    'r-40001',
    20_002,
  ])
})

test.each(['x', 'a-b', '-1', '1', ' ', 'r-1234567890123456'])('the event id "%s" is rejected', async (id) => {
  const sandbox = testSandbox()

  const response = await follow(sandbox, id === ' ' ? 'a b' : id)

  const { error } = (await response.json()) as { error: Record<string, unknown> }
  expect([response.status, error['field'], error['hint']]).toEqual([
    422,
    'Last-Event-ID',
    'use 0 to get all known events',
  ])
})
