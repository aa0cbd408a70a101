import type { ControlError, StandbyHealth } from '../../spec/generated/control-types.ts'
import { callHttp, type HttpAnswer, type HttpCall } from './http-call.ts'
import { noAnswer, notSandbox, UnreachableError } from './unreachable.ts'
import { VERSION } from '../engine/core/version.ts'

export interface RefusedOptions extends ErrorOptions {
  readonly hint?: string | undefined
  /** The command that the hint recommends, such as `jobs`. */
  readonly command?: string | undefined
  /** True if the request would be invalid in every state of the sandbox. */
  readonly misused?: boolean
  readonly code?: string | undefined
  readonly field?: string | undefined
}

export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly hint: string | undefined
  readonly command: string | undefined
  readonly misused: boolean
  readonly code: string | undefined
  readonly field: string | undefined

  constructor(
    message: string,
    { hint, command, misused = false, code, field, ...options }: RefusedOptions = {},
  ) {
    super(message, options)
    this.hint = hint
    this.command = command
    this.misused = misused
    this.code = code
    this.field = field
  }
}

interface RequestOptions {
  readonly method: string
  readonly token?: string
  readonly world?: string | undefined
  readonly body?: unknown
  /** The chunks of a request body, as lines of JSON. Sent instead of `body`. */
  readonly pieces?: AsyncIterable<Uint8Array>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  readonly through?: HttpCall
}

/** Sends one request to a sandbox. Throws UnreachableError if the sandbox does not respond. */
export async function send(
  url: string,
  { method, token, world, body, pieces, headers = {}, signal, through = callHttp }: RequestOptions,
): Promise<HttpAnswer> {
  try {
    return await through(url, {
      method,
      headers: {
        ...headers,
        'user-agent': `hookbench/${VERSION}`,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        // Encodes the world's name, because a header cannot contain every character. The sandbox rejects invalid names.
        ...(world === undefined ? {} : { 'hookbench-world': encodeURIComponent(world) }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(pieces === undefined ? {} : { 'content-type': 'application/jsonl' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(pieces === undefined ? {} : { body: pieces }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (cause) {
    throw noAnswer(url, cause)
  }
}

/** Parses the response as a JSON object or list, without validation. Throws UnreachableError for any other response. */
export async function readJson<Body>(response: HttpAnswer): Promise<Body> {
  const body: unknown = await response.json().catch(() => undefined)
  if (typeof body === 'object' && body !== null) return body as Body
  const { origin } = new URL(response.url)
  throw notSandbox(`find a sandbox at ${origin}`, 'the server at this address does not respond with JSON')
}

export async function readRefusal(response: HttpAnswer, url: string): Promise<Error> {
  const { error, reason } = await readJson<Partial<ControlError & Omit<StandbyHealth, 'error'>>>(response)
  if (reason !== undefined)
    return new UnreachableError('use the sandbox', {
      code: 'not_ready',
      state: reason,
      hint: 'call the process that serves the sandbox, or wait until this process serves it',
    })
  if (typeof error?.message === 'string') {
    const misused = response.status === 400 || response.status === 422
    const { message, ...rest } = error
    return new RefusedError(message, { ...rest, misused })
  }
  return notSandbox(
    `find the bench at ${url}`,
    'the server at this address is the service API, or is not a sandbox',
  )
}

/** Throws RefusedError for an empty value, `.` and `..`. Encoding dots would not help, because URL parsers decode `%2e`. */
export function toPathSegment(value: string, field: string): string {
  if (value !== '' && value !== '.' && value !== '..') return encodeURIComponent(value)
  const state = value === '' ? 'the value is empty' : 'this value means a folder in a path'
  throw new RefusedError(`Cannot use "${value}" as ${field}: ${state}`, {
    code: 'invalid',
    field,
    misused: true,
  })
}
