import { expect, test } from 'vitest'
import { START, testSandbox } from '../../support/test-sandbox.ts'
import { worldPause } from '../../support/world-records.ts'
import { openMemoryStore } from '../../support/stores.ts'

const HOUR_MS = 3_600_000

test('a world stands still only while nothing is due or under way in it', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = testSandbox({
    script: (_, index) => (index === 0 ? 200 : answer.promise),
    readings: { 'job-recording-lag': '0ms' },
  })
  await sandbox.register()
  expect(sandbox.standstill.read()).toMatchObject({ wakeAt: null, clock: { at: START, speed: 0 } })
  await sandbox.control('POST', '/objects/items', {})
  expect(sandbox.standstill.read()).toBeUndefined()
  answer.resolve(503)
  await sandbox.idle()
  // By hand nothing falls due by itself.
  expect(sandbox.standstill.read()?.wakeAt).toBeNull()
})

test('a world on compressed time says in real time when its next retry is due, and makes it then', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : 503) })
  await sandbox.register()
  await sandbox.control('PATCH', '/clock', { speed: 60 })
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()
  // What is recorded shows a little later.
  sandbox.realTime.move(2_000)
  const { wakeAt } = sandbox.standstill.read() ?? expect.fail('it stands still')
  if (wakeAt === null) expect.fail('it is to retry')
  const before = sandbox.attempts.length
  sandbox.realTime.move(wakeAt - sandbox.realTime.now())
  await sandbox.idle()

  expect([before, sandbox.attempts.length]).toEqual([1, 2])
  expect(sandbox.realTime.now() - START).toBe(5_000)
})

test('a world goes on from where it stood: chance, calls and the clock, which stood only where no sandbox ran', async () => {
  const first = testSandbox()
  await first.call('GET', '/items')
  const pause = first.standstill.read() ?? expect.fail('it stands still')
  const again = () => testSandbox({ store: openMemoryStore(), startAt: START })
  const [here, later] = [again(), again()]
  const now = here.realTime.now()
  const stood = { ...pause, clock: { at: START + HOUR_MS, speed: 60 }, realAt: now - 10_000 }
  here.standstill.resume(stood, now - 60_000)
  later.standstill.resume(stood, now - 2_000)
  const shown = [here, later].map(({ context }) => context.now() - START - HOUR_MS)
  expect(shown).toEqual([600_000, 120_000])
  expect(here.context.requests().map(({ path }) => path)).toEqual(['/tokens', '/items'])
  expect(here.standstill.read()?.chance).toBe(pause.chance)
})

test('a clock never goes back when its world goes on', () => {
  const sandbox = testSandbox({ startAt: START + HOUR_MS })
  sandbox.standstill.resume(worldPause({ clock: { at: START, speed: 1 }, realAt: START }), START)
  expect(sandbox.context.now()).toBe(START + HOUR_MS)
})
