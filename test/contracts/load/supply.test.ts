import { expect, test } from 'vitest'
import type { LoadMessage } from '../../../contracts/load/books.ts'
import { createSupply } from '../../../contracts/load/supply.ts'

const message = (id: number): LoadMessage => ({
  type: 'items',
  id: String(id),
  body: '{}',
  booking: undefined,
})

function workshop() {
  const asked: number[] = []
  const ready = new Map<number, () => void>()
  return {
    asked,
    finish: (id: number) => ready.get(id)?.(),
    make(id: number) {
      asked.push(id)
      return new Promise<LoadMessage>((resolve) => ready.set(id, () => resolve(message(id))))
    },
  }
}

test('the notification supply limits how many notifications are prepared in advance and how many concurrently', async () => {
  const { asked, finish, make } = workshop()
  const supply = createSupply([1, 2, 3, 4, 5].values(), make, { ahead: 3, atOnce: 2 })
  const filled = supply.fill()
  expect(asked).toEqual([1, 2])

  finish(2)
  await expect.poll(() => asked).toEqual([1, 2, 3])
  finish(1)
  finish(3)
  await filled

  expect(await supply.take()).toEqual(message(1))
  await expect.poll(() => asked).toEqual([1, 2, 3, 4])
})

test('a consumer that is faster than the notification supply waits and receives notifications in order', async () => {
  const supply = createSupply([1, 2, 3, 4].values(), async (id) => message(id), { ahead: 1, atOnce: 1 })
  const taken = Array.from({ length: 5 }, async () => supply.take())

  expect(await Promise.all(taken)).toEqual([message(1), message(2), message(3), message(4), undefined])
})

test('the notification supply returns null for a free slot of the plan', async () => {
  const supply = createSupply([1, null, 2].values(), async (id: number) => message(id), {
    ahead: 2,
    atOnce: 1,
  })
  await supply.fill()

  expect(await supply.take()).toEqual(message(1))
  expect(supply.take()).toBeNull()
  expect(await supply.take()).toEqual(message(2))
  expect(supply.take()).toBeUndefined()
})
