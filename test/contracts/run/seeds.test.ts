import { expect, test } from 'vitest'
import { createSeeds } from '../../../contracts/run/seeds.ts'

function drawn(salt?: string) {
  const { random, next, newId } = createSeeds(7, 'order/any-sequence', salt)
  return { numbers: [random(), random()], ids: [next(), newId(), next(), newId()] }
}

test('two seed sources with different salts produce the same numbers but different IDs', () => {
  const [first, second] = [drawn('monday'), drawn('tuesday')]

  expect(second.numbers).toEqual(first.numbers)
  expect(second.ids.filter((id) => first.ids.includes(id))).toEqual([])
})
