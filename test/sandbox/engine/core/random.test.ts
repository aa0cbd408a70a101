import { expect, test } from 'vitest'
import { createIds, createSeededRandom } from '../../../../sandbox/engine/core/random.ts'
import type { Random } from '../../../../sandbox/engine/core/ports.ts'
import { drawPerson } from '../../../../sandbox/engine/objects/people.ts'

const times = <Drawn>(count: number, draw: () => Drawn) => Array.from({ length: count }, draw)

/** Returns random numbers that cannot be repeated, because the generator shows no state. */
function unseeded(): Random {
  return Object.assign(createSeededRandom(7), { state: () => null })
}

/** The number of unrelated ids that a sandbox draws first. */
const UNRELATED = 1_024
const beginnings = (ids: readonly string[]) => new Set(ids.map((id) => id.slice(0, 2))).size

test('after the first thousand, new ids begin alike and differ, so that the store changes few pages', () => {
  const { newId } = createIds(unseeded())

  const [first, ids] = [times(UNRELATED, newId), times(1_024, newId)]

  expect(beginnings(first)).toBeGreaterThan(200)
  expect(beginnings(ids)).toBeLessThanOrEqual(4)
  expect(new Set([...first, ...ids]).size).toBe(2_048)
})

test('new numbers are close to each other and spread over seven digits', () => {
  const { newNumber } = createIds(unseeded())
  times(UNRELATED, newNumber)

  const numbers = times(25_600, newNumber)

  const distances = numbers.slice(1, 256).map((number) => Math.abs(number - (numbers[0] ?? 0)))
  expect(Math.max(...distances)).toBeLessThan(8_000)
  expect([Math.min(...numbers) < 1_500_000, Math.max(...numbers) > 8_500_000]).toEqual([true, true])
})

test('people with ids that begin alike have different names', () => {
  const { newId } = createIds(unseeded())
  times(UNRELATED, newId)

  const names = times(200, () => drawPerson(newId).full_name)

  expect(new Set(names).size).toBeGreaterThan(50)
})

test('a saved state of seeded random numbers is enough to repeat the next ids and numbers', () => {
  const random = createSeededRandom(7)
  const { newId, newNumber } = createIds(random)
  const draw = () => times(300, () => [newId(), newNumber()])
  draw()
  const state = random.state()

  const first = draw()
  random.restore(state)

  expect(draw()).toEqual(first)
})
