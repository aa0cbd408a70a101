import { VERSION } from '../engine/core/version.ts'

/** Nothing answers where the sandbox should be, or something that is no sandbox. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

interface RefusedOptions extends ErrorOptions {
  readonly hint?: string | undefined
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
  readonly misused: boolean
  readonly code: string | undefined
  readonly field: string | undefined

  constructor(message: string, { hint, misused = false, code, field, ...options }: RefusedOptions = {}) {
    super(message, options)
    this.hint = hint
    this.misused = misused
    this.code = code
    this.field = field
  }
}

interface Sent {
  readonly method: string
  readonly token?: string
  readonly body?: unknown
  /** Beside those that every request has. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  readonly through?: typeof fetch
}

/** One request to a sandbox. Throws UnreachableError with the remedy. */
export async function send(
  url: string,
  { method, token, body, headers = {}, signal, through = fetch }: Sent,
): Promise<Response> {
  try {
    return await through(url, {
      method,
      headers: {
        ...headers,
        'user-agent': `hookbench/${VERSION}`,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (cause) {
    throw new UnreachableError(unreachable(new URL(url).origin, cause), { cause })
  }
}

function unreachable(origin: string, error: unknown): string {
  const code = error instanceof Error ? Reflect.get(Object(error.cause), 'code') : undefined
  return /CERT|SIGNATURE/.test(String(code))
    ? `Cannot trust the sandbox at ${origin}: its certificate is not of the CA in the data folder; name its folder with --data`
    : `Cannot reach the sandbox at ${origin}: nothing answers; start it with "npx hookbench up"`
}

/** The answer's body, taken on trust to be what the spec says. Throws UnreachableError if it is no JSON object. */
export async function read<Body>(response: Response): Promise<Body> {
  const body: unknown = await response.json().catch(() => undefined)
  if (typeof body === 'object' && body !== null) return body as Body
  throw new UnreachableError(
    `Cannot find a sandbox at ${new URL(response.url).origin}: what answers there does not speak JSON; ${REMEDY}`,
  )
}

/** What to do where something else answers. */
export const REMEDY =
  'give the address of the bench that "npx hookbench up" prints, in HOOKBENCH_URL or by --data'
