import { array, assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { createDueHeap } from '../../../../sandbox/engine/core/due-heap.ts'

test('a due heap gives jobs in the order of their due times, then of their numbers', () => {
  assert(
    // More than the heap has room for at first.
    property(array(integer({ min: 0, max: 50 }), { maxLength: 300, size: 'max' }), (dueAts) => {
      const heap = createDueHeap()
      dueAts.forEach((dueAt, ordinal) => heap.add(dueAt, ordinal))

      const taken: number[] = []
      for (let next = heap.takeDue(50); next !== undefined; next = heap.takeDue(50)) taken.push(next)

      const sorted = dueAts
        .map((dueAt, ordinal) => ({ dueAt, ordinal }))
        .toSorted((a, b) => a.dueAt - b.dueAt)
      expect(taken).toEqual(sorted.map(({ ordinal }) => ordinal))
    }),
  )
})

test('a due heap keeps what is not due yet', () => {
  const heap = createDueHeap()
  heap.add(20, 1)
  heap.add(10, 2)

  expect([heap.takeDue(9), heap.takeDue(10), heap.takeDue(19)]).toEqual([undefined, 2, undefined])
  expect([heap.firstDueAt(), heap.size]).toEqual([20, 1])
})
