import { expect, test } from 'vitest'
import { drawSequence, shortestFailing } from '../../../contracts/toolkit/sequences.ts'
import { createSeededRandom } from '../../../sandbox/engine/core/random.ts'

const branch = {
  parts: [
    { number: 1, type: 'batch_transactions', state: 'batched', step: 0, isLast: false },
    { number: 2, type: 'batch_transactions', state: 'bank_processing', step: 1, isLast: false },
    { number: 3, type: 'batch_transactions', state: 'successful', step: 2, isLast: true },
  ],
} as const

function judge(isFailing: (candidate: readonly number[]) => boolean) {
  const tried: (readonly number[])[] = []
  const failing = async (candidates: readonly (readonly number[])[]) => {
    tried.push(...candidates)
    return candidates.map(isFailing)
  }
  return { tried, failing }
}

const hasLast = (candidate: readonly number[]) => candidate.includes(2)

test('shortestFailing() finds two deliveries that fail only in combination', async () => {
  const { failing } = judge(
    (candidate) => candidate.indexOf(2) < candidate.lastIndexOf(0) && candidate.includes(2),
  )

  expect(await shortestFailing([1, 2, 0, 1, 0], failing, hasLast)).toEqual([2, 0])
})

test('shortestFailing() keeps a duplicate that the failure needs', async () => {
  const { failing } = judge((candidate) => candidate.filter((part) => part === 0).length > 1)

  expect(await shortestFailing([1, 0, 2, 0, 1], failing, hasLast)).toEqual([0, 2, 0])
})

test('shortestFailing() shortens forty duplicates without trying every subset', async () => {
  const { tried, failing } = judge((candidate) => candidate.length === 39)

  const shortest = await shortestFailing([...Array<number>(39).fill(0), 2], failing, hasLast)

  expect([tried.length, shortest.length]).toEqual([39, 39])
})

test('drawSequence() never omits the last notification about an object', () => {
  const random = createSeededRandom(1)

  const drawn = Array.from({ length: 200 }, () => drawSequence(branch, random))

  expect(drawn.every((sequence) => sequence.includes(2))).toBe(true)
})

test.each([
  ['another order', (drawn: readonly number[]) => drawn.indexOf(2) === 0 && drawn.length > 1],
  ['a repetition', (drawn: readonly number[]) => new Set(drawn).size < drawn.length],
  ['a loss', (drawn: readonly number[]) => !drawn.includes(0)],
  ['a late retry', (drawn: readonly number[]) => drawn.length > 1 && drawn.at(-1) !== 2],
])('drawSequence() eventually draws a sequence with %s', (_, isDrawn) => {
  const random = createSeededRandom(1)

  expect(Array.from({ length: 50 }, () => drawSequence(branch, random)).some(isDrawn)).toBe(true)
})
