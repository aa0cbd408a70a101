import { expect, test } from 'vitest'
import { createColumn } from '../../../../sandbox/engine/core/column.ts'

test('a column keeps numbers beyond its first chunks', () => {
  const column = createColumn('u32')
  for (let place = 0; place < 50_000; place++) column.push(place * 3)
  column.set(20_000, 4_294_967_295)

  const wrong = Array.from({ length: 50_000 }, (_, place) => place).filter(
    (place) => column.get(place) !== (place === 20_000 ? 4_294_967_295 : place * 3),
  )

  expect([column.length, wrong]).toEqual([50_000, []])
})

test('a column that is set far behind its end has zeros up to there', () => {
  const column = createColumn('f64')
  column.set(40_000, 0.5)

  expect([column.length, column.get(0), column.get(39_999), column.get(40_000), column.get(40_001)]).toEqual([
    40_001, 0, 0, 0.5, 0,
  ])
})

test.each([0, 1])('a column of the bytes of another one goes on where that ends (%i bytes off)', (offset) => {
  const column = createColumn('u32')
  for (let place = 0; place < 20_000; place++) column.push(place * 3)
  const bytes = column.bytes()
  const given = new Uint8Array(bytes.length + offset).subarray(offset)
  given.set(bytes)

  const again = createColumn('u32', given)
  for (let place = 20_000; place < 40_000; place++) again.push(place * 3)

  const wrong = Array.from({ length: 40_000 }, (_, place) => place).filter(
    (place) => again.get(place) !== place * 3,
  )
  expect([again.length, wrong, again.bytes().length]).toEqual([40_000, [], 160_000])
})

test('bytes that are no whole numbers make no column', () => {
  expect(() => createColumn('u32', new Uint8Array(7))).toThrow('Cannot fill a column of u32 with 7 bytes')
})
