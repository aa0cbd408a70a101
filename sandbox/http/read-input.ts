import type { OperationRow, QueryField } from '../../spec/operations.ts'
import type { ValidationError, Validator } from '../../spec/validator.ts'
import { ApiError, type Problem } from './api-error.ts'
import { formFields, readBody, type Fields } from './read-body.ts'

export interface Input {
  readonly path: Readonly<Record<string, string>>
  readonly query: Fields
  readonly body: Fields | undefined
}

export interface ReadOptions {
  readonly path: Input['path']
  readonly validator: Validator<unknown> | undefined
  /** What is wrong with a receiver's URL, if anything is. */
  readonly judgeUrl: (raw: string) => string | undefined
}

/** Everything the operation takes, checked against the spec. */
export async function readInput(
  row: OperationRow,
  request: Request,
  { path, validator, judgeUrl }: ReadOptions,
): Promise<Input> {
  const parameters = formFields(new URL(request.url).searchParams)
  const query = readQuery(row, parameters)
  // Ours: the bench tells of a parameter that it does not know, the service ignores it.
  const stray =
    row.errors === 'control' && Object.keys(parameters).find((name) => !Object.hasOwn(row.query, name))
  if (typeof stray === 'string')
    throw new ApiError('invalid', { field: stray, message: `There is no parameter "${stray}"` })
  if (!row.body) return { path, query, body: undefined }

  const sent = await readBody(request, row.body)
  // The service takes its fields from the query as well. Reading: webhook-operations
  const body = coerced(row.body.form ? { ...parameters, ...sent } : sent, row.body.fields)
  const errors = validator && !validator(body) ? (validator.errors ?? []) : []
  const { url } = body
  const badUrl = row.body.form && typeof url === 'string' ? judgeUrl(url) : undefined
  if (errors.length > 0 || badUrl !== undefined) refuse(errors, body, badUrl)
  return { path, query, body }
}

function readQuery(row: OperationRow, parameters: Readonly<Record<string, string>>): Fields {
  return Object.fromEntries(
    Object.entries(row.query).flatMap(([name, field]) => {
      const value = parameters[name]
      if (value !== undefined) return [[name, queryValue(name, value, field)]]
      return field.fallback === null ? [] : [[name, field.fallback]]
    }),
  )
}

function queryValue(name: string, text: string, { type, values, minimum, maximum }: QueryField): unknown {
  if (type === 'integer') {
    const value = Number(text)
    const [least, most] = [minimum ?? Number.MIN_SAFE_INTEGER, maximum ?? Number.MAX_SAFE_INTEGER]
    if (/^-?\d+$/.test(text) && value >= least && value <= most) return value
    throw new ApiError('invalid', {
      field: name,
      message: `${name} "${text}" is not a number from ${least} to ${most}`,
    })
  }
  if (values === null || values.includes(text)) return text
  const code = name === 'status' ? 'invalid-status' : 'invalid'
  throw new ApiError(code, { field: name, message: `${name} "${text}" is not one of ${values.join(', ')}` })
}

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  [1, true],
  ['false', false],
  ['0', false],
  [0, false],
])

/** Booleans may come as text or as 1 and 0, numbers as text. */
function coerced(fields: Fields, types: Readonly<Record<string, string>>): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const type = Object.hasOwn(types, name) ? types[name] : undefined
      if (type === 'boolean') return [name, BOOLEANS.get(value) ?? value]
      if (type === 'integer' && typeof value === 'string' && /^-?\d+$/.test(value))
        return [name, Number(value)]
      return [name, value]
    }),
  )
}

function refuse(errors: readonly ValidationError[], body: Fields, badUrl: string | undefined): never {
  const missing = errors.flatMap(({ keyword, params }) =>
    keyword === 'required' ? [String(params['missingProperty'])] : [],
  )
  if (missing.length > 0) {
    const problems = missing.map((field) => ({
      field,
      message: `Required fields missing: ${missing.join(', ')}`,
    }))
    throw new ApiError('missing-fields', problems.slice(0, 1))
  }
  const fixed = errors
    .filter(({ keyword }) => keyword === 'not')
    .map(({ instancePath }) => instancePath.slice(1))
  if (fixed.length > 0) throw new ApiError('malformed', `field(s) ${fixed.join(', ')} not allowed to update`)
  const problems = errors.map((error) => problemOf(error, body))
  throw new ApiError(
    'invalid',
    badUrl === undefined ? problems : [{ field: 'url', message: badUrl }, ...problems],
  )
}

/** What a validation error says to a person: the field, its value, and what is wrong with it. */
export function problemOf(
  { instancePath, keyword, params, message }: ValidationError,
  whole: Fields,
): Problem {
  if (keyword === 'additionalProperties') {
    const field = [instancePath.slice(1), params['additionalProperty']].filter(Boolean).join('/')
    return { field, message: `There is no field "${field}"` }
  }
  const field = instancePath.slice(1)
  const value = JSON.stringify(valueAt(whole, field))
  if (keyword !== 'enum') return { field, message: `${titleOf(field)} ${value} ${message ?? 'is not valid'}` }
  return {
    field,
    message: `${titleOf(field)} ${value.replaceAll(/^"|"$/g, '')} is not a valid value of field`,
  }
}

function valueAt(whole: unknown, path: string): unknown {
  return path
    .split('/')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : value),
      whole,
    )
}

function titleOf(field: string): string {
  return field
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}
