import type { RequestBody } from '../../spec/operations.ts'
import { ApiError } from './api-error.ts'

const MOST_BYTES = 1_000_000
const MOST_DEPTH = 64

export type Fields = Readonly<Record<string, unknown>>

/** The request's body as an object of fields. JSON, or where the operation takes it a form; nothing is an empty object. */
export async function readBody(request: Request, { form }: RequestBody): Promise<Fields> {
  const type = request.headers.get('content-type')?.toLowerCase() ?? ''
  const [mediaType = '', charset] = [type.split(';')[0]?.trim(), /charset="?([^";\s]+)/.exec(type)?.[1]]
  const isForm = form && mediaType === 'application/x-www-form-urlencoded'
  const isJson = mediaType === 'application/json'
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (!isForm && !isJson && (mediaType !== '' || declared > 0 || !form)) refuseType(mediaType, form)
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') refuseType(type, form)
  if (declared > MOST_BYTES) tooLarge(declared)

  const text = await readText(request)
  if (isForm) return formFields(text)
  if (text === '' && form) return {}
  return jsonFields(text)
}

function refuseType(type: string, form: boolean): never {
  const accepted = form ? 'application/json or application/x-www-form-urlencoded' : 'application/json'
  throw new ApiError(
    'unsupported-media-type',
    `Cannot read content type "${type}": send ${accepted}, in UTF-8`,
  )
}

function tooLarge(bytes: number): never {
  throw new ApiError('too-large', `Cannot read a body of ${bytes} bytes: the most is ${MOST_BYTES}`)
}

async function readText(request: Request): Promise<string> {
  if (!request.body) return ''
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body) {
    bytes += chunk.byteLength
    if (bytes > MOST_BYTES) tooLarge(bytes)
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (cause) {
    throw new ApiError('malformed', 'Cannot read the body: it is not UTF-8', { cause })
  }
}

export function formFields(text: string | URLSearchParams): Readonly<Record<string, string>> {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name))
      throw new ApiError('malformed', { field: name, message: `"${name}" is given twice` })
    fields.set(name, value)
  }
  return Object.fromEntries(fields)
}

function jsonFields(text: string): Fields {
  const value = parseJson(text)
  refuseUnstorable(value, 1)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('invalid', 'Cannot read the body: it must be a JSON object')
  }
  return { ...value }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new ApiError('malformed', `Cannot read the body: it is not JSON (${detail})`, { cause })
  }
}

/** What JSON can say but a store cannot keep as it is. The last of two equal keys counts, as in JSON.parse. */
function refuseUnstorable(value: unknown, depth: number): void {
  if (depth > MOST_DEPTH)
    throw new ApiError('invalid', `Cannot read the body: it nests deeper than ${MOST_DEPTH}`)
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new ApiError('invalid', 'Cannot read the body: a text has half a surrogate pair')
  }
  if (typeof value === 'number' && (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER)) {
    throw new ApiError('invalid', `Cannot read the body: ${value} is larger than an exact number can be`)
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    refuseUnstorable(key, depth + 1)
    refuseUnstorable(child, depth + 1)
  }
}
