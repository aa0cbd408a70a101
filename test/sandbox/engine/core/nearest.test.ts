import { expect, test } from 'vitest'
import { likely, nearest } from '../../../../sandbox/engine/core/nearest.ts'

test.each([
  ['amuont', ['name', 'amount', 'account'], 'amount'],
  ['name', ['amount', 'name'], 'name'],
  ['stat', ['status', 'state'], 'state'],
  ['x', [], undefined],
  ['x'.repeat(101), ['x'], undefined],
])('nearest() takes "%s" among %j for %s', (word, words, meant) => {
  expect(nearest(word, words)).toBe(meant)
})

test.each([
  ['item', ['items', 'users'], 'items'],
  ['jobb', ['job', 'attempt'], 'job'],
  ['xyz', ['add', 'remove', 'clear'], undefined],
  ['nope', ['move'], undefined],
  ['', ['add'], undefined],
])('likely() takes "%s" among %j for %s', (word, words, meant) => {
  expect(likely(word, words)).toBe(meant)
})
