import type { ValidationError, Validator } from '../../../spec/validator.ts'
import { ApiError, refuseField } from '../../engine/core/api-error.ts'
import type { HttpRequest } from '../../engine/core/http.ts'
import type { Egress } from '../../engine/delivery/egress.ts'
import { toProblem } from '../operations/validation-problem.ts'
import { parseForm, parseInteger, readBody, type Fields } from './read-body.ts'
import type { OperationRow, QueryField, RequestBody } from '../../../spec/rows.ts'
import type { Translator } from '../../../spec/vocabulary.ts'

export interface Input {
  readonly path: Readonly<Record<string, string>>
  readonly query: Fields
  readonly headers: Readonly<Record<string, string>>
  readonly body: Fields | undefined
}

export interface ReadOptions {
  readonly path: Input['path']
  readonly validator: Validator<unknown> | undefined
  readonly egress: Egress
  readonly translator: Translator
}

export function readInput(
  row: OperationRow,
  request: HttpRequest,
  options: ReadOptions,
): Input | Promise<Input> {
  const { path, translator } = options
  const parameters = request.query === '' ? NO_FIELDS : translator.inward(parseForm(request.query))
  const query = readQuery(row, parameters)
  refuseUnknownParameters(row, request, parameters)
  const headers = readHeaders(row, request)
  if (row.body)
    return readFields(row, row.body, { ...options, request, parameters }).then((body) => ({
      path,
      query,
      headers,
      body,
    }))
  if (row.errors === 'control') refuseOtherType(row, request)
  return { path, query, headers, body: undefined }
}

interface FieldOptions extends ReadOptions {
  readonly request: HttpRequest
  readonly parameters: Fields
}

async function readFields(
  row: OperationRow,
  taken: RequestBody,
  { request, parameters, validator, egress, translator }: FieldOptions,
): Promise<Fields> {
  const { inward, outward } = translator
  const { form, fields } = taken
  const sent = inward(await readBody(request, taken))
  // The service also accepts body fields in the query. Reading: webhook-operations
  const body = form ? coerceFields({ ...parameters, ...sent }, fields) : sent
  const wrong = validator && !validator(body) ? (validator.errors ?? []) : []
  const errors = wrong.map((error) => withOwnWords(error, outward))
  const { url } = body
  const target = form && typeof url === 'string' ? egress.judgeUrl(url) : undefined
  const badUrl = target?.kind === 'refused' ? target.refusal.message : undefined
  if (errors.length > 0 || badUrl !== undefined) throwInvalid(errors, body, { badUrl, row })
  return body
}

const NO_FIELDS: Fields = {}

/** The control API rejects unknown parameters. The service API ignores unknown parameters. Our choice. */
export function refuseUnknownParameters(
  { errors, query }: OperationRow,
  request: Pick<HttpRequest, 'query'>,
  parameters: Fields = parseForm(request.query),
): void {
  if (errors !== 'control') return
  const isKnown = (name: string) => Object.hasOwn(query, name) && typeof parameters[name] === 'string'
  const stray = Object.keys(parameters).find((name) => !isKnown(name))
  if (stray !== undefined) refuseField(stray, `Unknown parameter "${stray}"`)
}

/** Rejects content types that a web page can send without a CORS preflight request. Hookbench chose this rule. */
function refuseOtherType({ method }: OperationRow, { header }: HttpRequest): void {
  const type = header('content-type')
  if (method === 'GET' || type === undefined || type.toLowerCase().startsWith('application/json')) return
  const message = `Cannot read content type "${type}": send application/json, or no content type`
  throw new ApiError('unsupported-media-type', message)
}

function readHeaders({ headers }: OperationRow, { header }: HttpRequest): Input['headers'] {
  if (headers.length === 0) return NO_HEADERS
  return Object.fromEntries(
    headers.flatMap((name) => {
      const value = header(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

const NO_HEADERS: Input['headers'] = {}

function readQuery({ query }: OperationRow, parameters: Fields): Fields {
  const fields: Record<string, unknown> = {}
  for (const name in query) {
    const field = query[name]
    const value = parameters[name]
    if (!field) continue
    if (typeof value === 'string') fields[name] = queryValue(name, value, field)
    else if (field.fallback !== null) fields[name] = field.fallback
  }
  return fields
}

function queryValue(name: string, text: string, { type, values, minimum, maximum }: QueryField): unknown {
  if (type === 'integer') {
    const value = Number(text)
    const [least, most] = [minimum ?? Number.MIN_SAFE_INTEGER, maximum ?? Number.MAX_SAFE_INTEGER]
    if (/^-?\d+$/.test(text) && value >= least && value <= most) return value
    refuseField(name, `${name} "${text}" is not a number from ${least} to ${most}`)
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

function coerceFields(fields: Fields, types: Readonly<Record<string, string>>): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const type = Object.hasOwn(types, name) ? types[name] : undefined
      if (type === 'boolean') return [name, BOOLEANS.get(value) ?? value]
      if (type === 'integer' && typeof value === 'string' && /^-?\d+$/.test(value))
        return [name, parseInteger(value, name)]
      return [name, value]
    }),
  )
}

/** Translates the accepted values in a validation error into the platform's words. */
function withOwnWords(error: ValidationError, outward: Translator['outward']): ValidationError {
  if (error.keyword !== 'enum') return error
  const field = error.instancePath.slice(error.instancePath.lastIndexOf('/') + 1)
  const [allowedValues] = Object.values<unknown>(Object(outward({ [field]: error.params['allowedValues'] })))
  return { ...error, params: { ...error.params, allowedValues } }
}

/** The maximum number of problems in one error response. For each problem, finding the intended field takes time. */
const MAX_PROBLEMS = 20

export function checkBody(
  row: OperationRow,
  body: unknown,
  validators: Readonly<Record<string, Validator<unknown>>>,
): void {
  const validator = row.body ? validators[row.body.schema] : undefined
  if (validator && !validator(body)) throwInvalid(validator.errors ?? [], body, { row })
}

export function throwInvalid(
  errors: readonly ValidationError[],
  body: unknown,
  { badUrl, row }: { readonly badUrl?: string | undefined; readonly row: OperationRow },
): never {
  const remedy = row.body?.remedy === undefined ? {} : { hint: row.body.remedy }
  const missing = errors.flatMap(({ keyword, params, instancePath }) => {
    if (keyword !== 'required') return []
    const field = String(params['missingProperty'])
    return [row.errors === 'control' ? `${instancePath}/${field}`.slice(1) : field]
  })
  if (missing.length > 0) {
    // Errors of form `objects` list messages by field, so each missing field gets its own message. Reading: object-errors
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
  const problems = errors
    .slice(0, MAX_PROBLEMS)
    .map((error) => ({ ...toProblem(error, body, options), ...remedy }))
  throw new ApiError(
    'invalid',
    badUrl === undefined ? problems : [{ field: 'url', message: badUrl }, ...problems],
  )
}
