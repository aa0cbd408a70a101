import type { ControlError } from '../../spec/generated/control-types.ts'
import { formatRemedy, type Remedy } from '../adapters/command-line.ts'
import { callHttp, type HttpAnswer, type HttpCall } from './http-call.ts'
import { explainNoAnswer } from './no-answer.ts'
import { VERSION } from '../engine/core/version.ts'

/** Why a sandbox cannot be talked to. */
type UnreachableCode =
  'no_sandbox' | 'damaged_run_file' | 'no_answer' | 'untrusted_certificate' | 'not_a_sandbox' | 'not_ready'

interface UnreachableOptions extends ErrorOptions, Remedy {
  readonly code: UnreachableCode
  /** What is in the way. */
  readonly state: string
}

/** Nothing answers where the sandbox should be, or something else does. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
  readonly code: UnreachableCode
  /** The message without its remedy. */
  readonly problem: string
  readonly state: string
  readonly hint: string
  readonly command: string | undefined

  /** `attempt` is what cannot be done, such as "find a sandbox". */
  constructor(attempt: string, { code, state, hint, command, ...options }: UnreachableOptions) {
    const problem = `Cannot ${attempt}: ${state}`
    super(`${problem}; ${formatRemedy({ hint, command })}`, options)
    this.code = code
    this.problem = problem
    this.state = state
    this.hint = hint
    this.command = command
  }
}

export interface RefusedOptions extends ErrorOptions {
  readonly hint?: string | undefined
  /** The command that does what the hint says, such as `jobs`. */
  readonly command?: string | undefined
  /** What was sent can never be carried out, whatever the state of the sandbox. */
  readonly misused?: boolean
  /** The word for programs, and the field that it is about. */
  readonly code?: string | undefined
  readonly field?: string | undefined
}

/** The sandbox answered that it will not. */
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
  readonly body?: unknown
  /** JSON that is too large to be held, in place of `body`. */
  readonly pieces?: AsyncIterable<Uint8Array>
  /** Beside those that every request has. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  readonly through?: HttpCall
}

/** One request to a sandbox. Throws UnreachableError with the remedy. */
export async function send(
  url: string,
  { method, token, body, pieces, headers = {}, signal, through = callHttp }: RequestOptions,
): Promise<HttpAnswer> {
  try {
    return await through(url, {
      method,
      headers: {
        ...headers,
        'user-agent': `hookbench/${VERSION}`,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined && pieces === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(pieces === undefined ? {} : { body: pieces }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (cause) {
    throw noAnswer(url, cause)
  }
}

export function noAnswer(url: string, cause: unknown): UnreachableError {
  const { origin } = new URL(url)
  const { isUntrusted, reason } = explainNoAnswer(cause, url)
  if (isUntrusted) {
    return new UnreachableError(`trust the sandbox at ${origin}`, {
      code: 'untrusted_certificate',
      state: 'its certificate was not issued by the CA in the data folder',
      hint: 'name its folder with --data',
      cause,
    })
  }
  return new UnreachableError(`reach the sandbox at ${origin}`, {
    code: 'no_answer',
    state: reason,
    hint: 'start it',
    command: 'up',
    cause,
  })
}

/** The answer's body, trusted to be what the spec says. Throws UnreachableError unless it is a JSON object or list. */
export async function readJson<Body>(response: HttpAnswer): Promise<Body> {
  const body: unknown = await response.json().catch(() => undefined)
  if (typeof body === 'object' && body !== null) return body as Body
  const { origin } = new URL(response.url)
  throw notSandbox(`find a sandbox at ${origin}`, 'what answers there does not speak JSON')
}

/** Why the control API refused: what was sent was wrong, or only does not fit what the sandbox holds now. */
export async function readRefusal(response: HttpAnswer, url: string): Promise<Error> {
  const { error } = await readJson<Partial<ControlError>>(response)
  if (typeof error?.message === 'string') {
    const misused = response.status === 400 || response.status === 422
    const { message, ...rest } = error
    return new RefusedError(message, { ...rest, misused })
  }
  return notSandbox(`find the bench at ${url}`, 'what answers there is the service API, or no sandbox')
}

export function notSandbox(attempt: string, state: string): UnreachableError {
  const hint =
    'give the address of the bench that a sandbox prints when it starts, in HOOKBENCH_URL or by --data'
  return new UnreachableError(attempt, { code: 'not_a_sandbox', state, hint })
}
