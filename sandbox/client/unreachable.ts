import { formatRemedy, startSentence, type Remedy } from '../engine/core/command-line.ts'
import { maskText } from '../engine/core/masking.ts'

type UnreachableCode =
  | 'no_sandbox'
  | 'damaged_run_file'
  | 'no_answer'
  | 'untrusted_certificate'
  | 'not_a_sandbox'
  | 'not_ready'
  | 'lost_world'

interface UnreachableOptions extends ErrorOptions, Remedy {
  readonly code: UnreachableCode
  readonly state: string
}

/** The sandbox does not answer, or something else answers. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
  readonly code: UnreachableCode
  /** The message without its remedy. */
  readonly problem: string
  readonly state: string
  readonly hint: string
  readonly command: string | undefined

  /** `attempt` is the failed action, such as "find a sandbox". */
  constructor(attempt: string, { code, state, hint, command, ...options }: UnreachableOptions) {
    const problem = `Cannot ${attempt}: ${state}`
    super(`${problem}. ${startSentence(formatRemedy({ hint, command }))}`, options)
    this.code = code
    this.problem = problem
    this.state = state
    this.hint = hint
    this.command = command
  }
}

export function noAnswer(url: string, cause: unknown): UnreachableError {
  const { origin } = new URL(url)
  const { isUntrusted, reason } = explainNoAnswer(cause, url)
  if (isUntrusted) {
    return new UnreachableError(`trust the sandbox at ${origin}`, {
      code: 'untrusted_certificate',
      state: 'its certificate was not issued by a CA that is trusted',
      hint: 'name its data folder with --data, or the file of its CA in HOOKBENCH_CA',
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

export function notSandbox(attempt: string, state: string): UnreachableError {
  const hint =
    'give the address of the bench that a sandbox prints when it starts, in HOOKBENCH_URL or by --data'
  return new UnreachableError(attempt, { code: 'not_a_sandbox', state, hint })
}

/** The reason why a call has no response. */
interface NoAnswer {
  /** The error code. Empty without one. */
  readonly code: string
  /** True if no trusted CA issued the server's certificate. */
  readonly isUntrusted: boolean
  /** A sentence with the host, the port and the code. */
  readonly reason: string
}

/** Node's codes for an untrusted certificate. */
const UNTRUSTED_CODES: ReadonlySet<string> = new Set([
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

const REASON_BY_CODE: ReadonlyMap<string, (peer: string, host: string) => string> = new Map([
  ['ECONNREFUSED', (peer) => `nothing listens on ${peer}`],
  ['ENOTFOUND', (_, host) => `unknown host "${host}"`],
  ['EAI_AGAIN', (_, host) => `the name server did not tell where "${host}" is`],
  ['ECONNRESET', (peer) => `${peer} broke off the connection`],
  ['UND_ERR_SOCKET', (peer) => `${peer} closed the connection without an answer`],
  ['UND_ERR_CONNECT_TIMEOUT', (peer) => `${peer} did not take the connection in time`],
  ['ETIMEDOUT', (peer) => `${peer} did not answer in time`],
  ['CERT_HAS_EXPIRED', (peer) => `the certificate of ${peer} has expired`],
  ['ERR_TLS_CERT_ALTNAME_INVALID', (peer, host) => `the certificate of ${peer} is not for "${host}"`],
  ['ERR_SSL_WRONG_VERSION_NUMBER', (peer) => `${peer} does not speak TLS`],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', (peer) => `${peer} does not speak TLS`],
])

/** Finds the cause behind a `fetch` error, which only says that the call failed. */
export function explainNoAnswer(error: unknown, url: string): NoAnswer {
  const { hostname, port, protocol } = new URL(url)
  const peer = `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`
  const { code, message } = findCause(error)
  const isUntrusted = UNTRUSTED_CODES.has(code)
  const words = isUntrusted
    ? `the certificate of ${peer} comes from a CA that is not trusted`
    : (REASON_BY_CODE.get(code)?.(peer, hostname) ?? `no valid answer from ${peer}`)
  return { code, isUntrusted, reason: `${words} (${code === '' ? maskText(message) : code})` }
}

interface Cause {
  readonly code: string
  readonly message: string
}

/** Finds the innermost cause with a code, or the innermost one. */
function findCause(error: unknown): Cause {
  const { cause, code, name, message }: Readonly<Record<string, unknown>> = Object(error)
  const inner = cause === undefined ? undefined : findCause(cause)
  if (inner && inner.code !== '') return inner
  if (name === 'TimeoutError') return { code: 'ETIMEDOUT', message: '' }
  if (typeof code === 'string') return { code, message: '' }
  return inner ?? { code: '', message: String(message ?? error) }
}
