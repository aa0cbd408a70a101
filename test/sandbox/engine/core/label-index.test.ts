import { array, assert, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { createColumn } from '../../../../sandbox/engine/core/column.ts'
import { createLabelIndex } from '../../../../sandbox/engine/core/label-index.ts'

const LENGTH = 150_000
/** Label 3 stands once in a long while, 4 never. */
const labelAt = (place: number) => (place % 40_000 === 39_999 ? 3 : (place * 7) % 3)

const labels = Array.from({ length: LENGTH }, (_, place) => labelAt(place))
const index = createLabelIndex(createColumn('u8'))
for (const label of labels) index.push(label)

function change(place: number, label: number): void {
  index.set(place, label)
  labels[place] = label
}

test('a label index counts and finds what a walk through all labels does', () => {
  assert(
    property(
      array(integer({ min: 0, max: 4 }), { maxLength: 3 }),
      record({ place: integer({ min: 0, max: LENGTH - 1 }), label: integer({ min: 0, max: 3 }) }),
      record({ end: integer({ min: 0, max: LENGTH + 5 }), skip: integer({ min: 0, max: LENGTH }) }),
      (given, { place, label }, { end, skip }) => {
        change(place, label)
        const wanted = [...new Set(given)]

        const places = labels.flatMap((each, at) => (wanted.includes(each) ? [at] : []))
        expect([index.count(wanted), index.count(wanted, end), index.places(wanted, skip, 7)]).toEqual([
          places.length,
          places.filter((at) => at < end).length,
          places.slice(skip, skip + 7),
        ])
      },
    ),
    { numRuns: 25 },
  )
})

test('a label index takes in what its column holds already', () => {
  const column = createColumn('u8')
  for (const label of [1, 2, 1]) column.push(label)

  const again = createLabelIndex(column)

  expect([again.length, again.count([1]), again.count([2], 1), again.places([1], 1, 5)]).toEqual([
    3,
    2,
    0,
    [2],
  ])
})
