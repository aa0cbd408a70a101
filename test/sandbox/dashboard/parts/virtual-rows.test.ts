import { expect, test } from 'vitest'
import { findVisibleRows, rowKey, scrollToRow } from '../../../../sandbox/dashboard/parts/virtual-rows.ts'

const rowHeight = 26

test.each([
  ['the beginning', { scrollTop: 0, height: 600, count: 100_000 }],
  ['the middle', { scrollTop: 1_300_000, height: 600, count: 100_000 }],
  ['the end', { scrollTop: 100_000 * rowHeight - 600, height: 600, count: 100_000 }],
])('findVisibleRows() returns the visible rows and a few more rows at %s', (_, viewport) => {
  const { start, end } = findVisibleRows({ ...viewport, rowHeight })

  expect(start * rowHeight).toBeLessThanOrEqual(viewport.scrollTop)
  expect(end * rowHeight).toBeGreaterThanOrEqual(viewport.scrollTop + viewport.height)
  expect(end - start).toBeLessThanOrEqual(45)
})

test('findVisibleRows() returns a limited number of rows for a high window', () => {
  const { start, end } = findVisibleRows({ scrollTop: 0, height: 100_000, rowHeight, count: 100_000 })

  expect(end - start).toBe(120)
  const keys = Array.from({ length: 120 }, (_, index) => rowKey(5_000 + index))
  expect(new Set(keys).size).toBe(120)
})

test('findVisibleRows() returns no row below the last row', () => {
  expect(findVisibleRows({ scrollTop: 0, height: 600, rowHeight, count: 0 })).toEqual({ start: 0, end: 0 })
  expect(findVisibleRows({ scrollTop: 9_999, height: 600, rowHeight, count: 3 })).toEqual({
    start: 2,
    end: 3,
  })
})

test('scrollToRow() scrolls only when the row is hidden', () => {
  const viewport = { scrollTop: 260, height: 260, rowHeight }

  expect([2, 12, 30].map((row) => scrollToRow(row, viewport))).toEqual([52, 260, 546])
})
