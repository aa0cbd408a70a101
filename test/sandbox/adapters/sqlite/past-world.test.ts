import { expect, test } from 'vitest'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import type { View } from '../../../../sandbox/engine/state/view.ts'
import { openMemoryStore } from '../../../support/stores.ts'

const idOf = (number: number) => `0a000000-0000-4000-8000-${String(number).padStart(12, '0')}`

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

async function open(count: number) {
  const turns: (() => void)[] = []
  const store = openMemoryStore({
    soon(run) {
      turns.push(run)
      queueMicrotask(run)
    },
  })
  await store.commit(jobs(count))
  turns.splice(0)
  const replace = async (entries: readonly Entry[]) => {
    const staged = store.stage()
    staged.add(entries)
    await staged.publish(() => {})
  }
  return { past: store.past, turns, replace }
}

test.each([[0], [999], [1_000], [1_300_500], [2_398_000], [20_000_000]])(
  'the past state at %i ms contains exactly the records up to this time',
  async (instant) => {
    const { past } = await open(2_400)

    expect(await past.at(instant, countJobs)).toBe(Math.min(2_400, Math.floor(instant / 1_000) + 1))
  },
)

test('the store can move to earlier and later past states, and long moves yield to the event loop', async () => {
  const { past, turns } = await open(2_400)
  const counts = []
  for (const seconds of [10, 2_200, 2_199, 3, 3, 2_400])
    counts.push(await past.at(seconds * 1_000, countJobs))

  expect(counts).toEqual([11, 2_201, 2_200, 4, 4, 2_400])
  expect(turns.length).toBeGreaterThanOrEqual(6)
})

test('repeated short moves back in time do not rebuild the state from the beginning', async () => {
  const { past, turns } = await open(8_000)
  await past.at(7_800_000, countJobs)
  const far = turns.splice(0).length
  const counts = []
  for (const seconds of [7_780, 7_760, 7_740]) counts.push(await past.at(seconds * 1_000, countJobs))
  const near = turns.splice(0).length
  const long = [await past.at(200_000, countJobs), await past.at(7_780_000, countJobs)]

  expect(counts).toEqual([7_781, 7_761, 7_741])
  expect(long).toEqual([201, 7_781])
  expect(near).toBeLessThan(far / 2)
})

test('a cached past state is not used after the world is replaced', async () => {
  const { past, replace } = await open(8_000)
  await past.at(7_800_000, countJobs)
  await replace(jobs(20))

  expect(await past.at(7_780_000, countJobs)).toBe(20)
})

test('simultaneous reads of past states each get the state at their requested time', async () => {
  const { past } = await open(2_400)

  const looks = [5, 1_800, 6].map((seconds) => past.at(seconds * 1_000, countJobs))

  expect(await Promise.all(looks)).toEqual([6, 1_801, 7])
})

test('a past state is rebuilt when its world is replaced', async () => {
  const { past, turns, replace } = await open(2_400)
  const looked = past.at(2_200_000, countJobs)
  while (turns.length === 0) await Promise.resolve()

  await replace(jobs(3))

  expect(await looked).toBe(3)
})

test('a failed read of the past does not block the next read', async () => {
  const { past } = await open(10)

  await expect(
    past.at(0, () => {
      throw new Error('This look fails')
    }),
  ).rejects.toThrow('This look fails')
  past.forget()

  expect(await past.at(3_000, countJobs)).toBe(4)
  expect(past.beginsAt()).toBe(0)
})
