import { expect, test } from 'vitest'
import { correctSpelling, findNearest } from '../../spec/nearest.ts'

test.each([
  ['amuont', ['name', 'amount', 'account'], 'amount'],
  ['name', ['amount', 'name'], 'name'],
  ['stat', ['status', 'state'], 'state'],
  ['x', [], undefined],
  ['x'.repeat(101), ['x'], undefined],
])('findNearest() takes "%s" among %j for %s', (word, words, meant) => {
  expect(findNearest(word, words)).toBe(meant)
})

test.each([
  ['item', ['items', 'users'], 'items'],
  ['jobb', ['job', 'attempt'], 'job'],
  ['xyz', ['add', 'remove', 'clear'], undefined],
  ['nope', ['move'], undefined],
  ['', ['add'], undefined],
])('correctSpelling() takes "%s" among %j for %s', (word, words, meant) => {
  expect(correctSpelling(word, words)).toBe(meant)
})

test('findNearest() looks at no more words than any of our lists has', () => {
  const words = [...Array.from({ length: 200 }, (_, index) => `${index}`), 'amount']

  expect(findNearest('amount', words)).not.toBe('amount')
})
