import type { ValidationError } from '../../../spec/validator.ts'
import type { Problem } from '../../engine/core/api-error.ts'
import { valueAt } from '../../../spec/json-values.ts'
import { didYouMean, formatChoices } from '../../../spec/nearest.ts'
import { shorten, shortJson } from '../../engine/core/short-text.ts'

const SECRET = /secret/

export interface ProblemOptions {
  /** The field names that an error message can suggest. Defaults to the other fields of the object. */
  readonly known?: readonly string[]
  /** The style of the message: `service` uses the words of the service's document. */
  readonly wording: 'service' | 'control'
}

/** Describes a validation error with the field, its value and the problem. Omits the value of a secret field. */
export function toProblem(
  { instancePath, keyword, params, message = 'is not valid' }: ValidationError,
  whole: unknown,
  { known = [], wording }: ProblemOptions,
): Problem {
  const field = instancePath.slice(1)
  if (keyword === 'additionalProperties') {
    const stray = String(params['additionalProperty'])
    const around = Object.keys(Object(valueAt(whole, instancePath))).filter((name) => name !== stray)
    return unknownField(stray, field, field === '' && known.length > 0 ? known : around)
  }
  if (keyword === 'discriminator') return unknownKind(field, params, whole)
  const name = wording === 'service' ? formatTitle(field) : field === '' ? 'The body' : `"${field}"`
  if (SECRET.test(field)) return { field, message: `${name} ${message}` }
  const value = valueAt(whole, instancePath)
  const text = shortJson(value)
  if (keyword === 'enum') {
    const values = Array.isArray(params['allowedValues']) ? params['allowedValues'].map(String) : []
    if (wording === 'control') {
      const question = didYouMean(String(value), values)
      return { field, message: `${name} takes ${formatChoices(values)}, not ${text}${question}` }
    }
    // This message uses the words of the service's document. Reading: webhook-errors
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

function describeLimit(keyword: string, { type, limit, allowedValue }: ValidationError['params']) {
  if (keyword === 'type') return formatChoices([type].flat().map((each) => TYPES.get(each) ?? String(each)))
  if (keyword === 'const') return JSON.stringify(allowedValue)
  if (keyword === 'minimum') return `${String(limit)} or more`
  return keyword === 'maximum' ? `${String(limit)} or less` : undefined
}

/** Describes a value that does not fit the value of another field. Source: §3 */
function unfitValue(value: string, takes: string | undefined, { tag, tagValue }: ValidationError['params']) {
  const other = `"${String(tag)}" is ${JSON.stringify(tagValue)}`
  return {
    message: `${value} where ${other}: it takes ${takes}`,
    hint: `change "${String(tag)}", and the dependent fields follow`,
  }
}

function unknownKind(parent: string, params: ValidationError['params'], whole: unknown): Problem {
  const field = `${parent}/${String(params['tag'])}`
  const value = valueAt(whole, `/${field}`)
  const kind = value === undefined ? 'left out' : shortJson(value)
  return { field, message: `"${field}" cannot be ${kind}: this version does not know it` }
}

function unknownField(stray: string, parent: string, words: readonly string[]): Problem {
  const field = parent === '' ? stray : `${parent}/${stray}`
  return { field, message: `Unknown field "${field}"${didYouMean(stray, words)}` }
}

function formatTitle(field: string): string {
  return field
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}
