import { describe, expect, test } from 'vitest'
import { ROWS } from './rows.ts'
import { tryRow, WAYS } from './try-row.ts'

/** TLS, name and address faults with quick tests. `npm run proof -- receiver-faults` tests all faults. */
const QUICK = ROWS.filter(({ id, atDeadline }) => /^[TD]/.test(id) && !atDeadline)

describe.each(WAYS)('%s', (way) => {
  test.concurrent.each(QUICK)(
    'a delivery ends as expected for fault $id: the receiver $what',
    async (row) => {
      expect(await tryRow(row, way)).toEqual([])
    },
  )
})

test('the receiver-faults table has a row for every listed fault', () => {
  const numbered = (letter: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${letter}${String(index + 1).padStart(2, '0')}`)
  const ids = new Set<string>(ROWS.map(({ id }) => id))
  const missing = [...numbered('R', 38), ...numbered('T', 16), ...numbered('D', 28)].filter(
    (id) => !ids.has(id),
  )

  // `npm run proof -- addresses` tests fault D18, the ways to write a URL.
  expect(missing).toEqual(['D18'])
})
