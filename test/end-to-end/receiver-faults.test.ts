import { describe, expect, test } from 'vitest'
import { ROWS } from '../proofs/receiver-faults/rows.ts'
import { tryRow, WAYS } from '../proofs/receiver-faults/try-row.ts'

describe.each(WAYS)('%s', (way) => {
  test.concurrent.each(ROWS)('$id: $what', async (row) => {
    expect(await tryRow(row, way)).toEqual([])
  })
})

test('every fault of the list has its rows', () => {
  const numbered = (letter: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${letter}${String(index + 1).padStart(2, '0')}`)
  const ids = new Set<string>(ROWS.map(({ id }) => id))
  // D18 is about the doors by which a URL comes in.
  const missing = [...numbered('R', 38), ...numbered('T', 16), ...numbered('D', 28)].filter(
    (id) => !ids.has(id),
  )

  expect(missing).toEqual(['D18'])
})
