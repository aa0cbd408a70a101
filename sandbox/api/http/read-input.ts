import type { ValidationError, Validator } from '../../../spec/validator.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { toProblem } from '../operations/validation-problem.ts'
import { parseForm, readBody, type Fields } from './read-body.ts'
import type { OperationRow, QueryField } from '../../../spec/rows.ts'

export interface Input {
  readonly path: Readonly<Record<string, string>>
  readonly query: Fields
  readonly headers: Readonly<Record<string, string>>
  readonly body: Fields | undefined
}

export interface ReadOptions {
  readonly path: Input['path']
  readonly validator: Validator<unknown> | undefined
  /** What is wrong with a receiver's URL, if anything is. */
  readonly findUrlProblem: (raw: string) => string | undefined
  /** From the platform's words to ours. */
  readonly inward: (fields: Fields) => Fields
}

/** Everything the operation takes, checked against the spec. */
export async function readInput(
  row: OperationRow,
  request: Request,
  { path, validator, findUrlProblem, inward }: ReadOptions,
): Promise<Input> {
  const parameters = inward(parseForm(new URL(request.url).searchParams))
  const query = readQuery(row, parameters)
  // Ours: the control API refuses a parameter that it does not know, the service ignores it.
  const stray = row.errors === 'control' && findUnknownParameter(parameters, row)
  if (typeof stray === 'string')
    throw new ApiError('invalid', { field: stray, message: `There is no parameter "${stray}"` })
  const headers = readHeaders(row, request)
  if (!row.body) {
    if (row.errors === 'control') refuseOtherType(row, request)
    return { path, query, headers, body: undefined }
  }

  const sent = inward(await readBody(request, row.body))
  // The service takes its fields from the query as well. Reading: webhook-operations
  const body = coerceFields(row.body.form ? { ...parameters, ...sent } : sent, row.body.fields)
  const errors = validator && !validator(body) ? (validator.errors ?? []) : []
  const { url } = body
  const badUrl = row.body.form && typeof url === 'string' ? findUrlProblem(url) : undefined
  if (errors.length > 0 || badUrl !== undefined) throwInvalid(errors, body, { badUrl, row })
  return { path, query, headers, body }
}

function findUnknownParameter(parameters: Fields, { query }: OperationRow): string | undefined {
  const isKnown = (name: string) => Object.hasOwn(query, name) && typeof parameters[name] === 'string'
  return Object.keys(parameters).find((name) => !isKnown(name))
}

/** Ours: a page can be made to send other types without being asked. */
function refuseOtherType({ method }: OperationRow, { headers }: Request): void {
  const type = headers.get('content-type')
  if (method === 'GET' || type === null || type.toLowerCase().startsWith('application/json')) return
  const message = `Cannot read content type "${type}": send application/json, or nothing`
  throw new ApiError('unsupported-media-type', message)
}

function readHeaders({ headers }: OperationRow, request: Request): Input['headers'] {
  return Object.fromEntries(
    headers.flatMap((name) => {
      const value = request.headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}

function readQuery(row: OperationRow, parameters: Fields): Fields {
  return Object.fromEntries(
    Object.entries(row.query).flatMap(([name, field]) => {
      const value = parameters[name]
      if (typeof value === 'string') return [[name, queryValue(name, value, field)]]
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
function coerceFields(fields: Fields, types: Readonly<Record<string, string>>): Fields {
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

interface InvalidBody {
  readonly badUrl?: string | undefined
  readonly row: OperationRow
}

/** Lets a body pass that is right by the spec. Throws ApiError with every field that is not. */
export function checkBody(
  row: OperationRow,
  body: unknown,
  validators: Readonly<Record<string, Validator<unknown>>>,
): void {
  const validator = row.body ? validators[row.body.schema] : undefined
  if (validator && !validator(body)) throwInvalid(validator.errors ?? [], { ...Object(body) }, { row })
}

function throwInvalid(errors: readonly ValidationError[], body: Fields, { badUrl, row }: InvalidBody): never {
  const remedy = row.body?.remedy === undefined ? {} : { hint: row.body.remedy }
  const missing = errors.flatMap(({ keyword, params, instancePath }) => {
    if (keyword !== 'required') return []
    const field = String(params['missingProperty'])
    return [row.errors === 'control' ? `${instancePath}/${field}`.slice(1) : field]
  })
  if (missing.length > 0) {
    // Where a refusal lists messages by field, each missing field has its own. Reading: object-errors
    const groups = row.errors === 'objects' ? missing.map((field) => [field]) : [missing]
    const problems = groups.map((group) => ({
      field: group[0] ?? '',
      message: `Required fields missing: ${group.join(', ')}`,
      ...remedy,
    }))
    throw new ApiError('missing-fields', problems)
  }
  const fixed = errors
    .filter(({ keyword }) => keyword === 'not')
    .map(({ instancePath }) => instancePath.slice(1))
  if (fixed.length > 0) throw new ApiError('malformed', `field(s) ${fixed.join(', ')} not allowed to update`)
  const options = {
    known: Object.keys(row.body?.fields ?? {}),
    wording: row.errors === 'control' ? 'control' : 'service',
  } as const
  const problems = errors.map((error) => ({ ...toProblem(error, body, options), ...remedy }))
  throw new ApiError(
    'invalid',
    badUrl === undefined ? problems : [{ field: 'url', message: badUrl }, ...problems],
  )
}
