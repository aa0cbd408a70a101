import type { ValidationError } from '../../../spec/validator.ts'
import type { Problem } from '../../engine/core/api-error.ts'
import { nearest } from '../../engine/core/nearest.ts'

/** Fields whose value is nobody's to read, not even when it is wrong. */
const SECRET = /secret/

/**
 * What a validation error says to a person: the field, its value unless it is secret, and what is wrong with it. `known` are
 * the fields that there are; if left out, all others of the object.
 */
export function toProblem(
  { instancePath, keyword, params, message }: ValidationError,
  whole: Readonly<Record<string, unknown>>,
  known: readonly string[] = [],
): Problem {
  if (keyword === 'additionalProperties') {
    const field = [instancePath.slice(1), params['additionalProperty']].filter(Boolean).join('/')
    const stray = String(params['additionalProperty'])
    const around = Object.keys(Object(valueAt(whole, instancePath.slice(1)))).filter((name) => name !== stray)
    const meant = nearest(stray, instancePath === '' && known.length > 0 ? known : around)
    const suggestion = meant === undefined ? '' : `; the nearest is "${meant}"`
    return { field, message: `There is no field "${field}"${suggestion}` }
  }
  const field = instancePath.slice(1)
  if (SECRET.test(field)) return { field, message: `${formatTitle(field)} ${message ?? 'is not valid'}` }
  const value = JSON.stringify(valueAt(whole, field))
  if (keyword !== 'enum')
    return { field, message: `${formatTitle(field)} ${value} ${message ?? 'is not valid'}` }
  const [shown, allowed] = [value.replaceAll(/^"|"$/g, ''), params['allowedValues']]
  const values = Array.isArray(allowed) ? `: it takes ${allowed.map(String).join(', ')}` : ''
  return { field, message: `${formatTitle(field)} ${shown} is not a valid value of field${values}` }
}

function valueAt(whole: unknown, path: string): unknown {
  if (path === '') return whole
  return path
    .split('/')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : value),
      whole,
    )
}

function formatTitle(field: string): string {
  return field
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}
