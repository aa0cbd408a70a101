import type { ValidationError } from '../../../spec/validator.ts'
import type { Problem } from '../../engine/core/api-error.ts'
import { didYouMean } from '../../../spec/nearest.ts'
import { shorten, shortJson } from '../../engine/core/short-text.ts'

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
  const name = wording === 'service' ? formatTitle(field) : field === '' ? 'The body' : `"${field}"`
  if (SECRET.test(field)) return { field, message: `${name} ${message}` }
  const value = valueAt(whole, field)
  const text = shortJson(value)
  if (keyword === 'enum') {
    const values = Array.isArray(params['allowedValues']) ? params['allowedValues'].map(String) : []
    if (wording === 'control') {
      const question = didYouMean(String(value), values)
      return { field, message: `${name} takes ${formatChoice(values)}, not ${text}${question}` }
    }
    // As the document words it. Reading: webhook-errors
    const said = typeof value === 'string' ? shorten(value) : text
    return { field, message: `${name} ${said} is not a valid value of field: it takes ${values.join(', ')}` }
  }
  if (wording === 'service') return { field, message: `${name} ${text} ${message}` }
  const takes = describeLimit(keyword, params)
  if (keyword === 'not') return { field, message: `${name} cannot be ${text}: the spec excludes it` }
  if (params['tag'] !== undefined) return { field, ...unfitValue(`${name} cannot be ${text}`, takes, params) }
  return {
    field,
    message:
      takes === undefined
        ? `${name} cannot be ${text}: it ${message}`
        : `${name} takes ${takes}, not ${text}`,
  }
}

const TYPES: ReadonlyMap<unknown, string> = new Map([
  ['integer', 'a whole number'],
  ['number', 'a number'],
  ['string', 'text'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['null', 'null'],
])

/** What a value has to be, in words; undefined where the validator says it well enough. */
function describeLimit(
  keyword: string,
  { type, limit, allowedValue }: ValidationError['params'],
): string | undefined {
  if (keyword === 'type') return formatChoice([type].flat().map((each) => TYPES.get(each) ?? String(each)))
  if (keyword === 'const') return JSON.stringify(allowedValue)
  if (keyword === 'minimum') return `${String(limit)} or more`
  return keyword === 'maximum' ? `${String(limit)} or less` : undefined
}

/** A value that does not go with that of another field, which decides it. Source: §3 */
function unfitValue(value: string, takes: string | undefined, { tag, tagValue }: ValidationError['params']) {
  const other = `"${String(tag)}" is ${JSON.stringify(tagValue)}`
  return {
    message: `${value} where ${other}: it takes ${takes}`,
    hint: `change "${String(tag)}", and the dependent fields follow`,
  }
}

/** An object of a kind that there is not, or of none. */
function unknownKind(parent: string, params: ValidationError['params'], whole: unknown): Problem {
  const field = `${parent}/${String(params['tag'])}`
  const value = valueAt(whole, field)
  const kind = value === undefined ? 'left out' : shortJson(value)
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
  const suggestion = didYouMean(stray, parent === '' && known.length > 0 ? known : around)
  return { field, message: `Unknown field "${field}"${suggestion}` }
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
