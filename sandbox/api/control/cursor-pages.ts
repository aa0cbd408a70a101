import { ApiError } from '../../engine/core/api-error.ts'

interface Page<Row> {
  readonly page: readonly Row[]
  /** The number of rows before the page. */
  readonly older: number
  readonly next_cursor: string | null
}

interface PageQuery {
  readonly limit: number
  readonly cursor?: string
}

/** Returns the rows from a cursor on, or the newest rows. A cursor is the number of the first row of its page. */
export function pageByCursor<Row>(
  rows: readonly Row[],
  { limit, cursor }: PageQuery,
  toNumber: (row: Row) => number,
): Page<Row> {
  const start = cursor === undefined ? Math.max(0, rows.length - limit) : indexFrom(rows, cursor, toNumber)
  const next = rows[start + limit]
  return {
    page: rows.slice(start, start + limit),
    older: start,
    next_cursor: next === undefined ? null : String(toNumber(next)),
  }
}

/** Finds a page among rows that are never removed. A cursor is the number of rows before its page. */
export function placeOfPage(
  total: number,
  { limit, cursor }: PageQuery,
): { readonly older: number; readonly end: number; readonly next_cursor: string | null } {
  const older = cursor === undefined ? Math.max(0, total - limit) : Math.min(total, parseCursor(cursor))
  const end = older + limit
  return { older, end, next_cursor: end < total ? String(end) : null }
}

function indexFrom<Row>(rows: readonly Row[], cursor: string, toNumber: (row: Row) => number): number {
  const first = parseCursor(cursor)
  const index = rows.findIndex((row) => toNumber(row) >= first)
  return index === -1 ? rows.length : index
}

/** Throws ApiError `invalid` for an unknown cursor. */
export function parseCursor(cursor: string, field: 'cursor' | 'before' = 'cursor'): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor)
  throw new ApiError('invalid', {
    field,
    message: `Unknown cursor "${cursor}". Take it from "${field === 'cursor' ? 'next_cursor' : field}"`,
  })
}
