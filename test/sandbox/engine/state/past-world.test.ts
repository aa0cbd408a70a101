import { expect, test } from 'vitest'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import { createMemoryLog } from '../../../../sandbox/engine/state/log.ts'
import { createPastWorld } from '../../../../sandbox/engine/state/past-world.ts'
import type { View } from '../../../../sandbox/engine/state/view.ts'

const idOf = (number: number) => `0a000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** A job each second. */
function job(number: number): Entry {
  const head = {
    kind: 'job',
    at: number * 1_000,
    id: idOf(number),
    generation: 'webhooks',
    registration_id: 'r1',
    object_type: 'items',
    object_id: 'i1',
    revision: 1,
    state: 'pending',
    url: 'https://localhost:9443/items',
  } as const
  return { head, body: '{}' }
}

const jobs = (count: number) => Array.from({ length: count }, (_, index) => job(index))
const countJobs = (view: View) => view.jobPage({}, { limit: 1 }).total

function open(count: number) {
  const log = createMemoryLog()
  log.append(jobs(count))
  let epoch = 1
  const turns: (() => void)[] = []
  const past = createPastWorld(log, {
    epoch: () => epoch,
    flush: () => {},
    soon(run) {
      turns.push(run)
      queueMicrotask(run)
    },
  })
  const replace = (entries: readonly Entry[]) => {
    log.replace(entries)
    epoch++
  }
  return { past, turns, replace, log }
}

test.each([[0], [999], [1_000], [6_500_500], [11_998_000], [20_000_000]])(
  'at %i ms all is known that was on record, and nothing later',
  async (instant) => {
    const { past } = open(12_000)

    expect(await past.at(instant, countJobs)).toBe(Math.min(12_000, Math.floor(instant / 1_000) + 1))
  },
)

test('it goes back as well as forward, and others have their turn on long ways', async () => {
  const { past, turns } = open(12_000)
  const counts = []
  for (const seconds of [10, 11_000, 10_999, 3, 3, 12_000])
    counts.push(await past.at(seconds * 1_000, countJobs))

  expect(counts).toEqual([11, 11_001, 11_000, 4, 4, 12_000])
  expect(turns.length).toBeGreaterThanOrEqual(6)
})

test('a short way back is not gone from the beginning again, however often', async () => {
  const { past, turns } = open(40_000)
  await past.at(39_000_000, countJobs)
  const far = turns.splice(0).length
  const counts = []
  for (const seconds of [38_900, 38_800, 38_700]) counts.push(await past.at(seconds * 1_000, countJobs))
  const near = turns.splice(0).length
  const long = [await past.at(1_000_000, countJobs), await past.at(38_900_000, countJobs)]

  expect([counts, long]).toEqual([
    [38_901, 38_801, 38_701],
    [1_001, 38_901],
  ])
  expect(near).toBeLessThan(far / 2)
})

test('what was kept on the way is of no other world', async () => {
  const { past, replace } = open(40_000)
  await past.at(39_000_000, countJobs)
  replace(jobs(20))

  expect(await past.at(38_900_000, countJobs)).toBe(20)
})

test('a short way on from what was looked at last is gone alone', async () => {
  const { past, turns } = open(12_000)
  await past.at(11_990_000, countJobs)
  turns.splice(0)

  await past.at(11_995_000, countJobs)

  expect(turns).toEqual([])
})

test('looks at the same time each have a world of their own', async () => {
  const { past } = open(12_000)

  const looks = [5, 9_000, 6].map((seconds) => past.at(seconds * 1_000, countJobs))

  expect(await Promise.all(looks)).toEqual([6, 9_001, 7])
})

test('a world that is replaced while it is built is not looked at', async () => {
  const { past, turns, replace } = open(12_000)
  const looked = past.at(11_000_000, countJobs)
  while (turns.length === 0) await Promise.resolve()

  replace(jobs(3))

  expect(await looked).toBe(3)
})

test('one look that fails keeps nobody from the next, and what is forgotten is built again', async () => {
  const { past } = open(10)

  await expect(
    past.at(0, () => {
      throw new Error('This look fails')
    }),
  ).rejects.toThrow('This look fails')
  past.forget()

  expect(await past.at(3_000, countJobs)).toBe(4)
  expect(past.beginsAt()).toBe(0)
})
