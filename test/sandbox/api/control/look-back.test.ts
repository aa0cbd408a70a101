import { expect, test } from 'vitest'
import { timestamp } from '../../../../sandbox/engine/core/timestamp.ts'
import { START, type TestSandbox, testSandbox } from '../../../support/test-sandbox.ts'
import { GRANT } from '../../../support/requests.ts'
import { createMemoryDatabase } from '../../../support/stores.ts'
import type { Reading } from '../../../../spec/generated/control-types.ts'
import { readings } from '../../../../spec/readings.ts'

const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString()

const LISTS = [
  '/jobs',
  '/payments',
  '/registrations',
  '/readings',
  '/faults',
  '/next-outcomes',
  '/deliveries',
  '/requests',
  '/timeline',
]

async function lists(sandbox: TestSandbox, instant?: string) {
  const query = instant === undefined ? '' : `?at=${instant}`
  const bodies = await Promise.all(LISTS.map((path) => sandbox.control('GET', `${path}${query}`)))
  return bodies.map(({ status, body }) => [status, body])
}

async function advance(sandbox: TestSandbox, by: string): Promise<void> {
  await sandbox.control('POST', '/clock/advance', { by })
}

async function live(sandbox: TestSandbox) {
  const moments: (readonly [string, unknown])[] = []
  const look = async () => moments.push([timestamp(sandbox.context.clock.now()), await lists(sandbox)])
  await sandbox.register()
  const { body: item } = await sandbox.control('POST', '/objects/items', { state: 'pending' })
  await sandbox.idle()
  await look()
  await advance(sandbox, '10m')
  await sandbox.control('POST', '/payments', { kind: 'card-payin', pace: '5m' })
  await sandbox.control('PATCH', `/objects/items/${item.id}`, { amount: 777 })
  await sandbox.control('POST', '/faults', { on: 'delivery', kind: 'drop' })
  await sandbox.control('PUT', '/next-outcomes', { kind: 'bpay-payout', outcome: 'invalid_account_details' })
  await sandbox.call('GET', `/items/${item.id}`)
  await sandbox.idle()
  await look()
  await advance(sandbox, '10m')
  await sandbox.control('PATCH', '/readings', { 'retry-window': 'five-attempts' })
  await sandbox.control('POST', '/deliveries', { url: 'https://localhost:9443/x', raw: '{}' })
  await sandbox.control('DELETE', '/faults')
  await sandbox.idle()
  await look()
  await advance(sandbox, '10m')
  return { moments, item: item.id }
}

test('every list can show a past state without a change of its present state', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index % 3 === 2 ? 503 : 204) })
  const { moments } = await live(sandbox)
  const present = await lists(sandbox)

  for (const [instant, shown] of [...moments, ...moments.toReversed()])
    expect(await lists(sandbox, instant)).toEqual(shown)
  expect(await lists(sandbox)).toEqual(present)
})

test('an object shows its past fields and is absent before its creation', async () => {
  const sandbox = testSandbox()
  await advance(sandbox, '1m')
  const { item } = await live(sandbox)
  const amount = async (instant: string) =>
    (await sandbox.control('GET', `/objects/items/${item}?at=${instant}`)).body

  expect((await amount(at(12))).object.amount).toBe(777)
  expect((await amount(at(2))).object.amount).not.toBe(777)
  expect((await amount(at(0))).error.code).toBe('not_found')
})

test('the history lists at most the requested number of instants', async () => {
  const sandbox = testSandbox()
  await live(sandbox)
  const instants = async (steps: number) =>
    (await sandbox.control('GET', `/history?steps=${steps}`)).body.instants

  const all = await instants(2_000)
  const minutes = all.map((instant: string) => Math.floor((Date.parse(instant) - START) / 60_000))
  expect([...new Set(minutes)]).toEqual([0, 10, 15, 20, 30])
  expect(await instants(1)).toEqual(all.slice(-1))
  expect(await instants(0)).toEqual([])
})

test('no past state of a world is kept after a reset', async () => {
  const sandbox = testSandbox()
  const { moments } = await live(sandbox)
  await lists(sandbox, at(20))

  await sandbox.control('POST', '/reset')
  await advance(sandbox, '30m')

  const { body } = await sandbox.control('GET', `/jobs?at=${moments[1]?.[0]}`)
  expect(body.jobs).toEqual([])
  expect((await sandbox.control('GET', '/history')).body).toMatchObject({
    ends_at: at(30),
    calls_since: null,
  })
})

test('every past state of a world is available after a restore', async () => {
  const sandbox = testSandbox()
  const { moments } = await live(sandbox)
  const { body: snapshot } = await sandbox.control('GET', '/snapshot')
  await sandbox.control('POST', '/reset')

  await sandbox.control('PUT', '/snapshot', snapshot)

  expect(await lists(sandbox, moments[1]?.[0])).toEqual(moments[1]?.[1])
})

test.each([
  ['2026-02-30T00:00:00Z', 'the value must be an instant such as'],
  [at(1), `the clock shows the earlier time ${at(0)}`],
])('GET /jobs rejects the instant %s', async (instant, remedy) => {
  const { status, body } = await testSandbox().control('GET', `/jobs?at=${instant}`)

  expect([status, body.error.field]).toEqual([422, 'at'])
  expect(body.error.message).toContain(remedy)
})

async function readingShown({ control }: TestSandbox, id: string): Promise<Reading | undefined> {
  const { body } = await control('GET', '/readings')
  const list: readonly Reading[] = body.readings
  return list.find((reading) => reading.id === id)
}

test('GET /readings lists every reading with its value', async () => {
  const sandbox = testSandbox({ readings: { 'delivery-deadline': '5s' } })

  const { status, body } = await sandbox.control('GET', '/readings')

  expect([status, body.readings.length]).toEqual([200, readings.length])
  expect(await readingShown(sandbox, 'retry-window')).toEqual({
    id: 'retry-window',
    kind: 'choice',
    source: ['§8'],
    about: expect.any(String),
    options: { '24h': expect.any(String), 'five-attempts': expect.any(String) },
    default: '24h',
    value: '24h',
    why: expect.any(String),
  })
  expect(await readingShown(sandbox, 'delivery-deadline')).toMatchObject({ options: null, value: '5s' })
  expect(await readingShown(sandbox, 'retry-origin')).toMatchObject({ kind: 'shape', value: null })
})

test.each([
  [{ nope: 'x' }, 'nope', 'the choices are'],
  [{ 'retry-window': '48h' }, 'retry-window', 'its options are 24h, five-attempts'],
  [{ 'test-text': 'Hello', 'retry-window': '48h' }, 'retry-window', 'its options are'],
])('PATCH /readings rejects %j and changes no reading', async (chosen, field, remedy) => {
  const sandbox = testSandbox()

  const { status, body } = await sandbox.control('PATCH', '/readings', chosen)

  expect([status, body.error.field]).toEqual([422, field])
  expect(body.error.message).toContain(remedy)
  expect([sandbox.store.length, sandbox.context.chosenReadings()]).toEqual([0, {}])
})

test('a changed reading applies to all later decisions', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : 500) })
  await sandbox.control('PATCH', '/readings', {
    'access-token-lifetime': '60s',
    'delivery-deadline': '1s',
    'retry-window': 'five-attempts',
    'test-text': 'Hello',
  })

  await sandbox.register()
  await sandbox.control('POST', '/objects/items', {})
  const { body } = await sandbox.control('POST', '/clock/advance', { by: '2d' })
  const granted = await sandbox.call('POST', '/tokens', GRANT)

  const [tested] = sandbox.transport.messages
  expect(Buffer.from(tested?.body ?? []).toString()).toBe('{"message":"Hello"}')
  expect([body.attempts, granted.body.expires_in]).toEqual([5, 60])
  expect(new Set(sandbox.transport.deadlinesMs)).toEqual(new Set([1_000]))
})

test('a changed reading survives a restart, but a start option overrides the reading', async () => {
  const database = createMemoryDatabase()
  const chosen = { 'retry-window': 'five-attempts', 'retry-body': 'current' }
  await testSandbox({ store: database.open() }).control('PATCH', '/readings', chosen)

  const plain = testSandbox({ store: database.open() })
  const told = testSandbox({ store: database.open(), readings: { 'retry-body': 'snapshot' } })

  expect(plain.context.readings()).toMatchObject(chosen)
  expect(told.context.readings()).toMatchObject({ ...chosen, 'retry-body': 'snapshot' })
})
