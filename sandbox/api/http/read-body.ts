import { errorMessage } from '../../../spec/errors.ts'
import { ApiError, refuseField } from '../../engine/core/api-error.ts'
import type { HttpRequest } from '../../engine/core/http.ts'
import type { RequestBody } from '../../../spec/rows.ts'

const MAX_DEPTH = 64
/** The maximum number of fields in an object. The largest object in the service's document has 64 fields. */
const MAX_FIELDS = 1_000
/** The maximum number of values in a JSON body. A list of ids exceeds the maximum body size earlier. */
const MAX_VALUES = 10_000
/** Reading: request-limits */
const MAX_FORM_BYTES = 65_536

export type Fields = Readonly<Record<string, unknown>>

/** Accepts JSON, and also forms if the operation supports them. The content type is optional. An empty body has no fields. */
export async function readBody(request: HttpRequest, taken: RequestBody): Promise<Fields> {
  const { isReadable, isForm, isUntyped, mediaType, limit } = checkBodyHeaders(request, taken)
  const { form } = taken
  const text = await readText(request, limit)
  // Accepts an empty body, because some clients send a content type although all fields are in the query.
  if (text === '' && form) return {}
  if (!isReadable) refuseType(mediaType, form)
  if (isForm) return parseTypedForm(text)
  if (isUntyped) return parseUntyped(text)
  return parseJsonObject(text)
}

/** Checks the headers of a body. Returns the body's size limit in bytes. Throws ApiError for an unsupported type or size. */
export function checkBodyHeaders(
  request: HttpRequest,
  { form, limit: jsonLimit }: RequestBody,
  json = 'application/json',
) {
  const type = request.header('content-type')?.toLowerCase() ?? ''
  const [mediaType = '', charset] = [type.split(';')[0]?.trim(), /charset="?([^";\s]+)/.exec(type)?.[1]]
  const encoding = request.header('content-encoding')?.toLowerCase()
  const isForm = form && mediaType === 'application/x-www-form-urlencoded'
  const isUntyped = form && mediaType === ''
  const isJson = mediaType === json
  const declared = Number(request.header('content-length') ?? 0)
  const isReadable = isForm || isJson || isUntyped
  const limit = isForm ? MAX_FORM_BYTES : jsonLimit
  if (!isReadable && (!form || declared > 0)) refuseType(mediaType, form, json)
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') refuseType(type, form, json)
  if (encoding !== undefined && encoding !== 'identity') refuseType(encoding, form, json)
  if (declared > limit) refuseSize(declared, limit)
  return { isReadable, isForm, isUntyped, mediaType, limit }
}

/** Rejects JSON in a form body, because the form parser would treat the JSON as the name of a field. Hookbench chose this rule. */
function parseTypedForm(text: string): Fields {
  if (!text.trimStart().startsWith('{')) return parseForm(text)
  const remedy = 'Send the body with "content-type: application/json", or without a content type'
  throw new ApiError('malformed', `Cannot read the body: it is JSON, but is sent as a form. ${remedy}`)
}

const NO_FIELDS: ReadonlySet<string> = new Set(['', '[]', 'null', '""'])

// Reading: request-bodies
function parseUntyped(text: string): Fields {
  const start = text.trimStart()
  if (start.startsWith('{')) return parseJsonObject(text)
  if (NO_FIELDS.has(start.trimEnd())) return {}
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_FORM_BYTES) refuseSize(bytes, MAX_FORM_BYTES)
  if (/^[\w%][^\s=&<>"]*=/.test(text)) return parseForm(text)
  const how = 'without a content type it must be a form, or JSON that begins with {'
  throw new ApiError('unsupported-media-type', `Cannot read the body: ${how}`)
}

function refuseType(type: string, form: boolean, json = 'application/json'): never {
  const accepted = form ? `${json} or application/x-www-form-urlencoded` : json
  throw new ApiError(
    'unsupported-media-type',
    `Cannot read content type "${type}": send ${accepted}, in UTF-8`,
  )
}

export function refuseSize(bytes: number, limit: number): never {
  throw new ApiError('too-large', `Cannot read a body of ${bytes} bytes: the maximum is ${limit}`)
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

async function readText(request: HttpRequest, limit: number): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  await request.readBody((piece) => {
    bytes += piece.byteLength
    if (bytes > limit) refuseSize(bytes, limit)
    pieces.push(piece)
  })
  const [only] = pieces
  try {
    return decoder.decode(pieces.length === 1 ? only : Buffer.concat(pieces))
  } catch (cause) {
    throw new ApiError('malformed', 'Cannot read the body: it is not UTF-8', { cause })
  }
}

/** Parses a form. Lists use `name[]` for each element, or `name[0]`, `name[1]` as in PHP. Our choice: the document has no list. */
export function parseForm(text: string): Readonly<Record<string, string | readonly string[]>> {
  const fields = new Map<string, string | string[]>()
  for (const [key, value] of parsePairs(text)) {
    const [, listed] = /^(.+)\[\d*\]$/.exec(key) ?? []
    const name = listed ?? key
    const known = fields.get(name)
    if (listed !== undefined && Array.isArray(known)) known.push(value)
    else if (known === undefined) fields.set(name, listed === undefined ? value : [value])
    else refuseField(name, `"${name}" is given twice`)
  }
  return Object.fromEntries(fields)
}

/** Parses the pairs of a form one by one, because URLSearchParams takes quadratic time for many pairs with plus signs. */
function parsePairs(text: string): (readonly [name: string, value: string])[] {
  const pairs = text.replace(/^\?/, '').split('&')
  if (pairs.length > MAX_FIELDS) refuseFieldCount(pairs.length)
  return pairs.flatMap((pair) => [...new URLSearchParams(`&${pair.replaceAll('+', '%20')}`)])
}

function parseJsonObject(text: string): Fields {
  const value = parseJson(text)
  refuseUnstorable(value, [])
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('invalid', 'Cannot read the body: it must be a JSON object')
  }
  return { ...value }
}

function parseJson(text: string): unknown {
  refuseExcess(text)
  try {
    return MAY_BE_INEXACT.test(text) ? JSON.parse(text, refuseInexact) : JSON.parse(text)
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    return refuseJson(cause)
  }
}

/** Matches a fraction or an exponent. Checks only such bodies, because checking each number costs more than parsing it. */
const MAY_BE_INEXACT = /\d[.eE]/

/** Rejects a rounded number. For example, JSON.parse rounds 1.00000000000000001 to 1, which is a different amount. */
function refuseInexact(key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (Number.isInteger(value) && !isWhole(context?.source ?? '')) refuseNumber(key)
  return value
}

function isWhole(source: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? []
  const point = whole.length + Number(exponent)
  const behind = point > 0 ? (whole + fraction).slice(point) : whole + fraction
  return /^0*$/.test(behind)
}

/** Checks a JSON text's depth and number of values before the text is parsed. */
function refuseExcess(text: string): void {
  let depth = 0
  let values = 1
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isText) {
      if (character === '\\') at += 1
      else if (character === '"') isText = false
    } else if (character === '"') isText = true
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    else if (character === ',') values += 1
    if (depth > MAX_DEPTH) refuseDepth()
    if (values > MAX_VALUES) refuseBody('too_many_values', `it has more than ${MAX_VALUES} values`)
  }
}

export function refuseJson(cause: unknown): never {
  const message = `Cannot read the body: it is not JSON (${errorMessage(cause)})`
  throw new ApiError('malformed', { code: 'invalid_json', message }, { cause })
}

/** Rejects JSON that the store cannot represent exactly. If a key is repeated, the last value wins, as in JSON.parse. */
export function refuseUnstorable(value: unknown, path: string[]): void {
  if (typeof value === 'string' && !value.isWellFormed())
    refuseBody('not_well_formed', 'a string has half a surrogate pair')
  if (typeof value === 'number' && !isExact(value)) refuseNumber(path.join('/'))
  if (typeof value !== 'object' || value === null) return
  if (path.length >= MAX_DEPTH) refuseDepth()
  const entries = Object.entries(value)
  if (entries.length > MAX_FIELDS && !Array.isArray(value)) refuseFieldCount(entries.length)
  for (const [key, child] of entries) {
    refuseUnstorable(key, path)
    path.push(key)
    refuseUnstorable(child, path)
    path.pop()
  }
}

/** Throws ApiError for a number that cannot be stored exactly. */
export function parseInteger(text: string, field: string): number {
  const value = Number(text)
  return isExact(value) ? value : refuseNumber(field)
}

function isExact(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER && !Object.is(value, -0)
}

function refuseNumber(field: string): never {
  const what = `"${field}" is a number that cannot be stored exactly, such as a number above 2^53 or minus zero`
  return refuseBody('not_safe_integer', what, field === '' ? undefined : field)
}

function refuseDepth(): never {
  return refuseBody('too_deep', `it is nested deeper than ${MAX_DEPTH} levels`)
}

function refuseFieldCount(count: number): never {
  return refuseBody(
    'too_many_fields',
    `an object in the body has ${count} fields: the maximum is ${MAX_FIELDS}`,
  )
}

function refuseBody(code: string, what: string, field?: string): never {
  const message = `Cannot read the body: ${what}`
  throw new ApiError('invalid', { code, message, ...(field !== undefined && { field }) })
}
