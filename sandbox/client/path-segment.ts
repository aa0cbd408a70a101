import { RefusedError } from './requests.ts'

/**
 * A value as one segment of a path, whatever it holds. Throws RefusedError for what is none: an empty one, `.` and `..` would
 * lead to what is above, and so to all of what one was meant of. No escape helps: URL parsers take `%2e` for a dot, too.
 */
export function toPathSegment(value: string, field: string): string {
  if (value !== '' && value !== '.' && value !== '..') return encodeURIComponent(value)
  const state = value === '' ? 'it is empty' : 'in a path it stands for a folder'
  throw new RefusedError(`Cannot use "${value}" as ${field}: ${state}`, {
    code: 'invalid',
    field,
    misused: true,
  })
}
