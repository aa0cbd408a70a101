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
