import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createClockAndRandom, type Pace } from '../../../sandbox/adapters/clock-and-random.ts'
import { createSandbox } from '../../../sandbox/in-process/create-sandbox.ts'
import { START, testSandbox } from '../../support/test-sandbox.ts'
import { openFileStore } from '../../support/stores.ts'

const HOUR = 3_600_000

/** A sandbox on a file, and the clock of the next one that opens what a kill leaves of it. */
function openKillable() {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [data, left] = [join(folder, 'data'), join(folder, 'left')]
  mkdirSync(data)
  const sandbox = testSandbox({ store: openFileStore(join(data, 'store.sqlite')) })
  onTestFinished(() => sandbox.close())
  return {
    sandbox,
    clockAfterKill(pace: Pace = {}) {
      cpSync(data, left, { recursive: true })
      const store = openFileStore(join(left, 'store.sqlite'))
      onTestFinished(() => store.close())
      return createClockAndRandom(pace, store).clock
    },
  }
}

/** By a clock that has run for an hour since the last entry, unless it stands. */
async function snapshotAt(speed: number | undefined) {
  const sandbox = testSandbox()
  await sandbox.register()
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
] as const)('a restored clock that was %s is the same after a kill', async (_, speed, mode) => {
  const snapshot = await snapshotAt(speed)
  const { sandbox, clockAfterKill } = openKillable()
  const { body: restored } = await sandbox.control('PUT', '/snapshot', snapshot)

  const clock = clockAfterKill()

  expect([restored.mode, clock.mode, clock.speed]).toEqual([mode, mode, speed ?? 0])
  expect(clock.now()).toBeGreaterThanOrEqual(Date.parse(restored.now))
  expect(clock.now()).toBeLessThan(Date.parse(restored.now) + HOUR)
})

test('a restored clock is the same after a kill where the world began at another speed', async () => {
  const { sandbox, clockAfterKill } = openKillable()
  await sandbox.control('PUT', '/snapshot', await snapshotAt(undefined))

  const { mode, now } = clockAfterKill({ firstSpeed: 300 })

  expect([mode, now()]).toEqual(['manual', START])
})

test('a clock that was set is as at first after a reset and a kill', async () => {
  const { sandbox, clockAfterKill } = openKillable()
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.control('PATCH', '/clock', { speed: 60 })
  const { body } = await sandbox.control('POST', '/reset')

  expect([body.mode, clockAfterKill({ firstSpeed: 0 }).mode]).toEqual(['manual', 'manual'])
})

test('a real clock that nobody has set comes on record neither by a snapshot nor by restoring it', async () => {
  await using sandbox = await createSandbox({ clock: 'real' })
  await sandbox.create('items')
  const { entries } = await sandbox.snapshot()

  await sandbox.restore(await sandbox.snapshot())

  expect((await sandbox.snapshot()).entries).toEqual(entries)
})
