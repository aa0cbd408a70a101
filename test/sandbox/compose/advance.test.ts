import { expect, test } from 'vitest'
import {
  makeItems,
  registeredSandbox,
  sandboxWithJob,
  START,
  type TestSandbox,
  testSandbox,
} from '../../support/test-sandbox.ts'
import { worldPause, worldRecord } from '../../support/control-records.ts'
import { openMemoryStore } from '../../support/stores.ts'
import { refuseKeysOfOthers } from '../../../sandbox/compose/serve-sandbox.ts'

const MINUTE = 60_000

const HOUR = 60 * MINUTE

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

async function later(status: number): Promise<number> {
  await turn()
  await turn()
  return status
}

/** Adds work in each event loop turn, so that a notification is always in flight. */
function steadyLoad(add: (count: number) => Promise<unknown>) {
  const stop = new AbortController()
  let count = 0
  async function create(): Promise<void> {
    for (; !stop.signal.aborted; count++) {
      await add(count)
      await turn()
    }
  }
  const ended = create()
  return {
    count: () => count,
    async end() {
      stop.abort()
      await ended
    },
  }
}

const createObjects =
  ({ control }: TestSandbox) =>
  (count: number) =>
    control('POST', '/objects/items', { name: `Load ${count}` })

test('a clock advance sends the retries of earlier jobs even under a steady load', async () => {
  const sandbox = await sandboxWithJob(() => later(500))
  const load = steadyLoad(createObjects(sandbox))
  await expect.poll(load.count).toBeGreaterThan(5)

  const { status, body } = await sandbox.control('POST', '/clock/advance', { by: '8h' })
  await load.end()

  expect([status, Math.floor((Date.parse(body.now) - START) / MINUTE)]).toEqual([200, 8 * 60])
  const job = sandbox.store.jobs().find(({ id }) => id === sandbox.job)
  const attempts = job ? sandbox.store.attempts(job).map(({ head }) => head) : []
  // Rounds to minutes, because each new object moves the clock by a millisecond.
  const minutes = (time: number) => Math.round((time - START) / MINUTE)
  expect(attempts.map(({ started_at, due_at }) => [minutes(due_at), minutes(started_at)])).toEqual(
    [0, 5, 25, 105, 425].map((minute) => [minute, minute]),
  )
  await sandbox.idle()
})

test('a clock advance takes every step of a payment and waits for the notifications of each step', async () => {
  const sandbox = testSandbox({ script: () => later(200) })
  const url = 'https://localhost:9443/notifications/batches/3f9c1d2ab47e8051'
  await sandbox.call('POST', '/webhooks', { url, object_type: 'batch_transactions' })
  await sandbox.register()
  const { body } = await sandbox.control('POST', '/payments', { kind: 'direct-debit-payin', pace: '1h' })
  const load = steadyLoad(createObjects(sandbox))
  await expect.poll(load.count).toBeGreaterThan(5)

  await sandbox.control('POST', '/clock/advance', { by: '3h' })

  const ofPayment = sandbox.attempts.filter(({ url: to }) => to === url)
  await load.end()
  expect(ofPayment.map(({ started_at }) => Math.round((started_at - START) / HOUR))).toEqual([0, 1, 2])
  expect((await sandbox.control('GET', `/payments/${body.id}`)).body.step).toBe(3)
  await sandbox.idle()
})

test('a clock advance ends under a constant load with a slow receiver', async () => {
  const sandbox: TestSandbox = await registeredSandbox(
    () => new Promise((resolve) => sandbox.realTime.after(50, () => resolve(200))),
  )
  await sandbox.control('POST', '/faults', { on: 'delivery', kind: 'delay', delay_ms: 100 })
  const { control, realTime } = sandbox
  const load = steadyLoad(async (count) => {
    void control('POST', '/payments', { kind: 'direct-debit-payin', pace: 'instant' })
    await control('POST', '/objects/items', { name: `Load ${count}` })
    realTime.move(10)
  })
  await expect.poll(load.count).toBeGreaterThan(20)

  const before = load.count()
  const { status, body } = await control('POST', '/clock/advance', { by: '30d' })
  const during = load.count() - before
  await load.end()

  expect([status, Math.floor((Date.parse(body.now) - START) / HOUR)]).toEqual([200, 30 * 24])
  expect([during >= 15, during < 100]).toEqual([true, true])
})

test('an instant payment does not wait for other payments', async () => {
  const answers: (() => void)[] = []
  const sandbox = testSandbox({
    script: (_, index) => (index === 1 ? new Promise((resolve) => answers.push(() => resolve(200))) : 200),
  })
  const url = 'https://localhost:9443/notifications/batches/3f9c1d2ab47e8051'
  await sandbox.call('POST', '/webhooks', { url, object_type: 'batch_transactions' })
  const payment = { kind: 'direct-debit-payin', pace: 'instant' }
  const slow = sandbox.control('POST', '/payments', payment)
  await expect.poll(() => answers.length).toBe(1)

  const { body } = await sandbox.control('POST', '/payments', payment)

  expect([body.step, body.steps]).toEqual([3, 3])
  answers[0]?.()
  expect((await slow).body.step).toBe(3)
})

test('a clock advance of 30 days makes every attempt in order and at its due time', async () => {
  const sandbox = await registeredSandbox(() => 500)
  for (let count = 0; count < 1_000; count++) {
    await sandbox.control('POST', '/objects/items', {})
    if (count % 100 === 0) await sandbox.advance(sandbox.context.now() + MINUTE)
  }

  await sandbox.advance(START + 30 * 24 * HOUR)

  const starts = sandbox.attempts.map(({ started_at }) => started_at)
  expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  expect(sandbox.attempts.filter(({ due_at, started_at }) => due_at !== started_at)).toEqual([])
  expect(starts.length).toBe(5_000)
})

test('a failed job has a valid retry time at the last instant of the clock', async () => {
  const sandbox = await registeredSandbox(() => 500, { startAt: Date.parse('9998-12-31T23:00:00.000Z') })
  await makeItems(sandbox, 1)
  const last = '9998-12-31T23:59:59.999Z'
  await sandbox.control('POST', '/payments', { kind: 'direct-debit-payin', pace: '20m' })

  const { body } = await sandbox.control('POST', '/clock/advance', { to: last })
  const refused = await sandbox.control('POST', '/clock/advance', { by: '1ms' })
  const { body: page } = await sandbox.control('GET', '/jobs?limit=1&status=failed')

  expect([body.now, refused.status]).toEqual([last, 422])
  expect(page.jobs[0].next_due_at).toBe('9999-01-01T00:45:00.000Z')
  const { status } = await sandbox.control('POST', '/payments', { kind: 'direct-debit-payin', pace: '1d' })
  expect(status).toBe(422)
})

test('a world is idle only when no work is due or in flight', async () => {
  const answer = Promise.withResolvers<number>()
  const readings = { 'job-recording-lag': '0ms' }
  const sandbox = await registeredSandbox(() => answer.promise, { readings })
  expect(sandbox.hibernation.read()).toMatchObject({ wakeAt: null, clock: { at: START, speed: 0 } })
  await sandbox.control('POST', '/objects/items', {})
  expect(sandbox.hibernation.read()).toBeUndefined()
  answer.resolve(503)
  await sandbox.idle()
  // With a manual clock, no retry becomes due.
  expect(sandbox.hibernation.read()?.wakeAt).toBeNull()
})

test('an idle world reports the real time of its next retry', async () => {
  const sandbox = await registeredSandbox(() => 503)
  await sandbox.control('PATCH', '/clock', { speed: 60 })
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()
  // Moves past the short delay after which a change becomes visible.
  sandbox.realTime.move(2_000)
  const { wakeAt } = sandbox.hibernation.read() ?? expect.fail('The world is not idle')
  if (wakeAt === null) expect.fail('The world has no retry')
  const before = sandbox.attempts.length
  sandbox.realTime.move(wakeAt - sandbox.realTime.now())
  await sandbox.idle()

  expect([before, sandbox.attempts.length]).toEqual([1, 2])
  expect(sandbox.realTime.now() - START).toBe(5_000)
})

test('a resumed world continues with its random numbers, calls and clock', async () => {
  const first = testSandbox()
  await first.call('GET', '/items')
  const pause = first.hibernation.read() ?? expect.fail('The world is not idle')
  const again = () => testSandbox({ store: openMemoryStore(), startAt: START })
  const [here, there] = [again(), again()]
  const now = here.realTime.now()
  const stood = { ...pause, clock: { at: START + HOUR, speed: 60 }, realAt: now - 10_000 }
  here.hibernation.resume(stood, now - 60_000)
  there.hibernation.resume(stood, now - 2_000)
  const shown = [here, there].map(({ context }) => context.now() - START - HOUR)
  expect(shown).toEqual([600_000, 120_000])
  expect(here.context.requests().map(({ path }) => path)).toEqual(['/tokens', '/items'])
  expect(here.hibernation.read()?.chance).toBe(pause.chance)
})

test('the clock of a resumed world never goes back', () => {
  const sandbox = testSandbox({ startAt: START + HOUR })
  sandbox.hibernation.resume(worldPause({ clock: { at: START, speed: 1 }, realAt: START }), START)
  expect(sandbox.context.now()).toBe(START + HOUR)
})

test.each([
  ['--client-id', ({ credentials }: ReturnType<typeof worldRecord>) => ({ credentials })],
  ['--token', ({ controlToken }: ReturnType<typeof worldRecord>) => ({ controlToken })],
  [
    '--api-token',
    ({ credentials }: ReturnType<typeof worldRecord>) => ({
      credentials: { ...credentials, client_id: 'another' },
    }),
  ],
])('refuseKeysOfOthers() rejects the %s of another world', (option, taken) => {
  const anna = worldRecord('anna')
  const start = () => refuseKeysOfOthers(worldRecord('default', taken(anna)), [worldRecord('ben'), anna])
  expect(start).toThrow(
    expect.objectContaining({
      kind: 'unusable',
      message: expect.stringMatching(new RegExp(`world "anna".*${option} or HOOKBENCH`)),
    }),
  )
})

test('refuseKeysOfOthers() accepts credentials that no other world uses', () => {
  expect(() =>
    refuseKeysOfOthers(worldRecord('default'), [worldRecord('anna'), worldRecord('ben')]),
  ).not.toThrow()
})
