import { expect, test } from 'vitest'
import { createLoadSeeds } from '../../../contracts/load/notification-maker.ts'
import { createIds, createSeededRandom } from '../../../sandbox/engine/core/random.ts'

test('the seeds and object IDs of a long load are unique', () => {
  const { people, objects, payment } = createLoadSeeds(7)
  const seeds: number[] = []
  for (let count = 0; count < 64; count++) seeds.push(people.next())
  for (let count = 0; count < 200_000; count++) seeds.push(objects.next())
  for (let index = 0; index < 5_000; index++) {
    const { next } = payment(index)
    for (let count = 0; count < 16; count++) seeds.push(next())
  }
  const ids = seeds.map((seed) => createIds(createSeededRandom(seed)).newId())

  expect([new Set(seeds).size, new Set(ids).size]).toEqual([seeds.length, seeds.length])
})

test('a payment gets the same seeds in each load with the same load seed', () => {
  const [first, again, other] = [createLoadSeeds(7), createLoadSeeds(7), createLoadSeeds(8)]
  again.payment(0).next()
  again.objects.next()
  const draw = ({ payment }: typeof first) => [payment(3).next(), payment(4).next()]

  expect(draw(again)).toEqual(draw(first))
  expect(draw(other)).not.toEqual(draw(first))
})
