import type { ValidationError } from '../../../spec/validator.ts'
import type { Problem } from '../../engine/core/api-error.ts'
import { findNearest } from '../../engine/core/nearest.ts'

/** Fields whose value is never repeated, not even when it is wrong. */
const SECRET = /secret/

export interface ProblemOptions {
  /** The fields that there are; if left out, all others of the object. */
  readonly known?: readonly string[]
  /** The service says it in the document's words, the control API in ours. */
  readonly wording: 'service' | 'control'
}

/** What a validation error says to a person: the field, its value unless it is secret, and what is wrong with it. */
export function toProblem(
  { instancePath, keyword, params, message = 'is not valid' }: ValidationError,
  whole: Readonly<Record<string, unknown>>,
  { known = [], wording }: ProblemOptions,
): Problem {
  const field = instancePath.slice(1)
  if (keyword === 'additionalProperties') {
    const stray = String(params['additionalProperty'])
    return unknownField(stray, { field, whole, known })
  }
  if (keyword === 'discriminator') return unknownKind(field, params, whole)
  const name = wording === 'control' ? `"${field}"` : formatTitle(field)
  if (SECRET.test(field)) return { field, message: `${name} ${message}` }
  const value = valueAt(whole, field)
  const text = JSON.stringify(value)
  if (keyword === 'enum') {
    const values = Array.isArray(params['allowedValues']) ? params['allowedValues'].map(String) : []
    if (wording === 'control') return { field, message: `${name} takes ${formatChoice(values)}, not ${text}` }
    // As the document words it. Reading: webhook-errors
    const said = typeof value === 'string' ? value : text
    return { field, message: `${name} ${said} is not a valid value of field: it takes ${values.join(', ')}` }
  }
  const problem = wording === 'control' ? `cannot be ${text}: it ${message}` : `${text} ${message}`
  return { field, message: `${name} ${problem}` }
}

/** An object of a kind that there is not, or of none. */
function unknownKind(parent: string, params: ValidationError['params'], whole: unknown): Problem {
  const field = `${parent}/${String(params['tag'])}`
  const kind = JSON.stringify(valueAt(whole, field)) ?? 'left out'
  return { field, message: `"${field}" cannot be ${kind}: this version does not know it` }
}

interface UnknownField {
  /** The path of the object that it is a field of. */
  readonly field: string
  readonly whole: Readonly<Record<string, unknown>>
  readonly known: readonly string[]
}

function unknownField(stray: string, { field: parent, whole, known }: UnknownField): Problem {
  const field = parent === '' ? stray : `${parent}/${stray}`
  const around = Object.keys(Object(valueAt(whole, parent))).filter((name) => name !== stray)
  const meant = findNearest(stray, parent === '' && known.length > 0 ? known : around)
  const suggestion = meant === undefined ? '' : `; the nearest is "${meant}"`
  return { field, message: `There is no field "${field}"${suggestion}` }
}

function formatChoice(values: readonly string[]): string {
  return [values.slice(0, -1).join(', '), ...values.slice(-1)].filter(Boolean).join(' or ')
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
