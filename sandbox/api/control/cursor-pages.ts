import { ApiError } from '../../engine/core/api-error.ts'

interface PageQuery {
  readonly limit: number
  readonly cursor?: string
}

/** Returns the page that starts at the cursor, or the newest page. The cursor of a page is the number of its first row. */
export function pageByCursor<Row>(
  rows: readonly Row[],
  { limit, cursor }: PageQuery,
  toNumber: (row: Row) => number,
) {
  const first = cursor === undefined ? undefined : parseCursor(cursor)
  const found = first === undefined ? rows.length - limit : rows.findIndex((row) => toNumber(row) >= first)
  // If the cursor is above all row numbers, the page starts after the last row.
  const older = first === undefined || found !== -1 ? Math.max(0, found) : rows.length
  const next = rows[older + limit]
  return {
    page: rows.slice(older, older + limit),
    older,
    next_cursor: next === undefined ? null : String(toNumber(next)),
  }
}

/** Returns the positions of a page in a list that never loses rows. The cursor is the number of rows before the page. */
export function placeOfPage(total: number, { limit, cursor }: PageQuery) {
  const older = cursor === undefined ? Math.max(0, total - limit) : Math.min(total, parseCursor(cursor))
  const end = older + limit
  return { older, end, next_cursor: end < total ? String(end) : null }
}

/** Throws ApiError `invalid` if the cursor is malformed. */
export function parseCursor(cursor: string, field: 'cursor' | 'before' = 'cursor'): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor)
  throw new ApiError('invalid', {
    field,
    message: `Unknown cursor "${cursor}". Use the value of "${field === 'cursor' ? 'next_cursor' : field}" from an earlier page`,
  })
}
