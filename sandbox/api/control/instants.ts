import { ApiError } from '../../engine/core/api-error.ts'

/** The last instant that a timestamp of the service can name. */
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** An instant as a user writes it. Throws ApiError `invalid` for one that no calendar has. */
export function instantOf(text: string): number {
  const [, day = ''] = /^(\d{4}-\d{2}-\d{2})T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/.exec(text) ?? []
  // A day that a month has not, such as the 30th of February, would be taken for one of the next.
  const isDay = new Date(Date.parse(`${day}T00:00:00Z`) || 0).toISOString().startsWith(day)
  const time = day !== '' && isDay ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return time
  const message = `Cannot advance to "${text}": it takes an instant such as 2026-01-01T07:05:00.000Z`
  throw new ApiError('invalid', { field: 'to', message })
}
