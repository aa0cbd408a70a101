import { expect, test } from 'vitest'
import { createSeeds } from '../../../contracts/run/seeds.ts'

function drawn(salt?: string) {
  const { random, next, newId } = createSeeds(7, 'order/any-sequence', salt)
  return { numbers: [random(), random()], ids: [next(), newId(), next(), newId()] }
}

test('seeds draw the same numbers and ids for the same salt', () => {
  expect(drawn('monday')).toEqual(drawn('monday'))
})

test('seeds draw the same numbers for another salt, and no id again', () => {
  const [first, second] = [drawn('monday'), drawn('tuesday')]

  expect(second.numbers).toEqual(first.numbers)
  expect(second.ids.filter((id) => first.ids.includes(id))).toEqual([])
})
