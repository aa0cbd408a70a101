import { RefusedError } from './requests.ts'

/**
 * Encodes a value as one path segment. Throws RefusedError for an empty value, `.` and `..`, which would name another path.
 * URL parsers decode `%2e` too, so escaping cannot help.
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
