import { expect, test } from 'vitest'
import { createWorldKeeper } from '../../../sandbox/compose/world-keeper.ts'
import { createWorldTimes } from '../../../sandbox/compose/world-times.ts'
import { createMemoryWorlds } from '../../support/stores.ts'
import type { WorldRecord } from '../../../sandbox/engine/state/world-directory.ts'
import { manualTime } from '../../support/manual-time.ts'
import { worldPause, worldRecord } from '../../support/world-records.ts'

/** A keeper whose worlds are closed; what it opens and closes is listed. */
function keeping() {
  const [directory, realTime] = [createMemoryWorlds(), manualTime()]
  const events: string[] = []
  const errors: unknown[] = []
  const keeper = createWorldKeeper({
    directory,
    registry: {
      use: (world, run) => {
        events.push(`open ${world.name}`)
        return run({} as never)
      },
      close: async (id) => void events.push(`close ${id}`),
    },
    realTime,
    onError: (_, error) => errors.push(error),
  })
  const add = (world: WorldRecord, wakeAt: number | null = null) =>
    directory.add(world, async () => worldPause({ wakeAt }))
  return { directory, realTime, keeper, events, errors, add }
}

test('a world is opened shortly before something falls due in it, and not if it is open by then', async () => {
  const { keeper, realTime, events, add } = keeping()
  const [a, b] = [worldRecord('a'), worldRecord('b')]
  await add(a, realTime.now() + 10_000)
  await add(b, realTime.now() + 10_000)
  keeper.start()
  keeper.onOpened(b)
  realTime.move(9_000)
  expect(events).toEqual([])
  realTime.move(950)
  await expect.poll(() => events).toEqual(['open a'])
})

test('a world that was not closed cleanly is opened at the start', async () => {
  const { keeper, realTime, events, add } = keeping()
  await add(worldRecord('a'), 0)
  await add(worldRecord('b'))
  keeper.start()
  realTime.move(1)
  await expect.poll(() => events).toEqual(['open a'])
})

test('a world that could not be opened or removed is opened again later for what is due in it', async () => {
  const { keeper, directory, realTime, events, add } = keeping()
  const [a, b, c] = [worldRecord('a'), worldRecord('b'), worldRecord('c')]
  await add(a, realTime.now() + 1_000)
  await add(b, realTime.now() + 1_000)
  await add(c)
  keeper.start()
  for (const world of [a, c]) {
    keeper.onOpened(world)
    keeper.onUnopened(world)
  }
  const remove = directory.remove
  directory.remove = () => Promise.reject(new Error('It cannot'))
  await keeper.remove(b).catch(() => {})
  directory.remove = remove
  realTime.move(59_000)
  expect(events).toEqual([])
  realTime.move(1_000)
  await expect.poll(() => events).toEqual(['open a', 'open b'])
})

test('a world is removed when it expires, and at the start if it has expired meanwhile', async () => {
  const { keeper, directory, realTime, events, errors, add } = keeping()
  await add(worldRecord('a', { expiresAt: realTime.now() + 5_000 }))
  await add(worldRecord('b', { expiresAt: realTime.now() - 1 }))
  await add(worldRecord('c'))
  keeper.start()
  realTime.move(1)
  await expect.poll(async () => directory.list().map(({ name }) => name)).toEqual(['a', 'c'])
  realTime.move(5_000)
  await expect.poll(async () => directory.list().map(({ name }) => name)).toEqual(['c'])
  expect([events, errors]).toEqual([['close id-of-b', 'close id-of-a'], []])
})

test('times are called back in one go when the machine slept through them, and not once it has stopped', () => {
  const realTime = manualTime()
  const due: string[] = []
  const times = createWorldTimes(realTime, (id) => due.push(id))
  times.set('a', realTime.now() + 1_000)
  times.set('b', realTime.now() + 90_000)
  times.set('c', realTime.now() + 2_000)
  times.set('c', null)
  realTime.move(200_000)
  realTime.move(0)
  expect(due).toEqual(['a', 'b'])
  times.set('d', realTime.now() + 1)
  times.stop()
  realTime.move(10)
  expect(due).toEqual(['a', 'b'])
})
