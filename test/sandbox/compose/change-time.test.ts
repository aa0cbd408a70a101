import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LATEST_NOW } from '../../../sandbox/engine/core/timestamp.ts'
import { createSandbox } from '../../../sandbox/index.ts'
import { takeSandboxErrors } from '../../support/sandbox-errors.ts'
import { registeredSandbox, START, type TestSandbox, testSandbox } from '../../support/test-sandbox.ts'
import { createFailingDisk, openFileStore } from '../../support/stores.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { createClockAndRandom, type ClockSeedOptions } from '../../../sandbox/adapters/clock-and-random.ts'

const MINUTE = 60_000

/** Creates an object, changes the object `times` times, and returns each `updated_at`. */
async function changeOften({ control }: TestSandbox, times: number): Promise<string[]> {
  const { body: made } = await control('POST', '/objects/items', {})
  const updates: string[] = [made.object.updated_at]
  for (let amount = 1; amount <= times; amount++) {
    const { body } = await control('PATCH', `/objects/items/${made.id}`, { amount: 1_000 + amount })
    updates.push(body.object.updated_at)
  }
  return updates
}

function expectOrdered(updates: readonly string[]): void {
  expect(updates).toEqual([...new Set(updates)].toSorted())
}

test.each([0, 1, 300])('updated_at grows with each change of an object at clock speed %d', async (speed) => {
  const sandbox = testSandbox()
  await sandbox.control('PATCH', '/clock', { speed })

  expectOrdered(await changeOften(sandbox, 5))
})

test('a running clock waits until real time catches up after changes moved the clock ahead', async () => {
  const sandbox = testSandbox()
  await sandbox.control('PATCH', '/clock', { speed: 1 })
  const began = sandbox.context.clock.now()
  await changeOften(sandbox, 5)
  const [ahead] = [sandbox.context.clock.now() - began]

  sandbox.realTime.move(20)

  expect([ahead, sandbox.context.clock.now() - began]).toEqual([5, 20])
})

test('two changes of one object in one transaction get different timestamps', async () => {
  const sandbox = testSandbox({ readings: { 'accompanying-notifications': 'all' } })
  await sandbox.register()

  await sandbox.control('POST', '/payments', { kind: 'card-payin', pace: 'stepwise' })
  await sandbox.idle()

  const [, ...sent] = sandbox.transport.messages.map(({ body }) => JSON.parse(Buffer.from(body).toString()))
  expect(sent.length).toBe(2)
  expectOrdered(sent.map(({ items }) => items.updated_at))
})

test('a clock advance also sends the retries that result from payment steps already due when the advance starts', async () => {
  const answered = Promise.withResolvers<number>()
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : answered.promise) })
  const url = 'https://localhost:9443/notifications/batches/3f9c1d2ab47e8051'
  await sandbox.call('POST', '/webhooks', { url, object_type: 'batch_transactions' })
  const played = sandbox.control('POST', '/payments', { kind: 'direct-debit-payin' })
  await expect.poll(() => sandbox.transport.messages.length).toBe(2)
  const advanced = sandbox.control('POST', '/clock/advance', { by: '5m' })
  await new Promise((resolve) => void setImmediate(resolve))

  answered.resolve(503)
  await Promise.all([played, advanced])

  const jobs = sandbox.store.jobs()
  expect(jobs.map((job) => sandbox.store.attempts(job).length)).toEqual([2, 2, 2])
})

const times = ({ store }: TestSandbox): number[] => [...store.entries()].map(({ head }) => head.at)

test('an attempt recorded after a change ends no earlier than the change, and its retry times count from this end', async () => {
  const disk = createFailingDisk()
  const sandbox = await registeredSandbox(() => 500, { store: disk.open() })
  disk.fail('full', (entries) => entries.some(({ head }) => head.kind === 'attempt'))
  // Repairs the full disk immediately. The rejected attempt waits for its next turn, so the store writes a new change first.
  sandbox.store.onProblem((problem) => {
    disk.repair()
    if (problem) sandbox.store.recover()
  })
  const { body } = await sandbox.control('POST', '/objects/items', {})
  await expect.poll(() => sandbox.problems.length).toBe(2)
  await sandbox.control('PATCH', `/objects/items/${body.id}`, { amount: 5 })
  const changedAt = sandbox.context.clock.now()

  sandbox.realTime.move(1_000)
  await sandbox.idle()

  const heads = sandbox.store.jobs().flatMap((job) => sandbox.store.attemptHeads(job))
  expect(heads[0]).toMatchObject({ number: 1, at: changedAt, next_due_at: changedAt + 5 * MINUTE })
  expect(times(sandbox)).toEqual(times(sandbox).toSorted((one, other) => one - other))
  expect(takeSandboxErrors()).toMatchObject([{ kind: 'full' }])
})

test('two changes at the last instant of the clock both have this instant as their time', async () => {
  const readings = { 'accompanying-notifications': 'all' }
  const sandbox = testSandbox({ startAt: LATEST_NOW, readings })
  await sandbox.control('POST', '/payments', { kind: 'card-payin', pace: 'stepwise' })
  await sandbox.control('POST', '/objects/items', {})

  expect(new Set(times(sandbox))).toEqual(new Set([LATEST_NOW]))
})

const HOUR = 3_600_000

function openKillable() {
  const [data, left] = [temporaryFolder(), temporaryFolder()]
  const sandbox = testSandbox({ store: openFileStore(join(data, 'store.sqlite')) })
  onTestFinished(() => sandbox.close())
  return {
    sandbox,
    clockAfterKill(pace: ClockSeedOptions = {}) {
      cpSync(data, left, { recursive: true })
      const store = openFileStore(join(left, 'store.sqlite'))
      onTestFinished(() => store.close())
      return createClockAndRandom(pace, store).clock
    },
  }
}

/** Takes a snapshot. If the clock is running, the snapshot is taken an hour after the last entry. */
async function snapshotAt(speed: number | undefined) {
  const sandbox = await registeredSandbox()
  await sandbox.control('POST', '/objects/items', {})
  if (speed !== undefined) await sandbox.control('PATCH', '/clock', { speed })
  if (speed !== undefined && speed > 0) sandbox.realTime.move(HOUR / speed)
  const { body } = await sandbox.control('GET', '/snapshot')
  await sandbox.close()
  return body
}

test.each([
  ['manual from the start', undefined, 'manual'],
  ['set to manual', 0, 'manual'],
  ['set to compressed', 60, 'compressed'],
  ['set to real', 1, 'real'],
] as const)('a restored clock is the same after a kill when the clock was %s', async (_, speed, mode) => {
  const snapshot = await snapshotAt(speed)
  const { sandbox, clockAfterKill } = openKillable()
  const { body: restored } = await sandbox.control('PUT', '/snapshot', snapshot)

  const clock = clockAfterKill()

  expect([restored.mode, clock.mode, clock.speed]).toEqual([mode, mode, speed ?? 0])
  expect(clock.now()).toBeGreaterThanOrEqual(Date.parse(restored.now))
  expect(clock.now()).toBeLessThan(Date.parse(restored.now) + HOUR)
})

test('a restored clock is the same when the next start has another initial speed', async () => {
  const { sandbox, clockAfterKill } = openKillable()
  await sandbox.control('PUT', '/snapshot', await snapshotAt(undefined))

  const { mode, now } = clockAfterKill({ firstSpeed: 300 })

  expect([mode, now()]).toEqual(['manual', START])
})

test('a clock has its initial speed after a reset and a kill', async () => {
  const { sandbox, clockAfterKill } = openKillable()
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.control('PATCH', '/clock', { speed: 60 })
  const { body } = await sandbox.control('POST', '/reset')

  expect([body.mode, clockAfterKill({ firstSpeed: 0 }).mode]).toEqual(['manual', 'manual'])
})

test('a snapshot contains no speed of a real clock that was never changed', async () => {
  await using sandbox = await createSandbox({ clock: 'real' })
  await sandbox.create('items')
  const { entries } = await sandbox.snapshot()

  await sandbox.restore(await sandbox.snapshot())

  expect((await sandbox.snapshot()).entries).toEqual(entries)
})
