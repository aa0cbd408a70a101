import { expect, test } from 'vitest'
import {
  createOrder,
  formatOrderWord,
  moveChip,
  toDeliveries,
  toggleTwice,
  type Chip,
  type DeliveryOrder,
} from '../../../../sandbox/dashboard/what-if/order.ts'

const THREE = createOrder('1-2l-3')
const wordOf = (order: DeliveryOrder) => formatOrderWord(toDeliveries(order))

function chipAt(place: number, order: DeliveryOrder = THREE): Chip {
  const chip = order[place]
  if (!chip) throw new Error(`Nothing is at place ${place}`)
  return chip
}

test.each([
  [0, 1, '2l-1-3'],
  [2, 0, '3-1-2l'],
  [0, -1, '1-2l-3'],
  [2, 9, '1-2l-3'],
])('moveChip() moves a delivery chip from position %i to position %i within the order', (from, to, word) => {
  expect(wordOf(moveChip(THREE, chipAt(from), to))).toBe(word)
})

test('toggleTwice() adds an unmarked duplicate, and a second call removes the duplicate', () => {
  const twice = toggleTwice(THREE, chipAt(1))

  expect(wordOf(twice)).toBe('1-2l-2-3')
  expect(new Set(twice.map(({ id }) => id)).size).toBe(4)
  expect(toggleTwice(twice, chipAt(1, twice))).toEqual(THREE)
  expect(wordOf(toggleTwice(twice, chipAt(2, twice)))).toBe('1-2-3')
})

test('toggleTwice() adds no delivery above the limit of a rehearsal', () => {
  const full = createOrder(Array.from({ length: 40 }, (_, index) => index + 1).join('-'))

  expect(toggleTwice(full, chipAt(3, full))).toBe(full)
})

test.each(['1', '2-1x-1', '3-1xblc-2b', '12-7l'])('createOrder() reads the word "%s"', (word) => {
  expect(wordOf(createOrder(word))).toBe(word)
})

test.each(['', '-', '0', '1-', '1y', 'x1', '1--2', '1234', '<img>', Array(41).fill('1').join('-')])(
  'createOrder() returns an empty order for the invalid word "%s"',
  (word) => {
    expect(createOrder(word)).toEqual([])
  },
)
