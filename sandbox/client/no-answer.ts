import { maskText } from '../engine/core/masking.ts'

export interface NoAnswer {
  /** The error code. Empty if the error has no code. */
  readonly code: string
  readonly isUntrusted: boolean
  readonly reason: string
}

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
  ['EAI_AGAIN', (_, host) => `the name server did not resolve "${host}"`],
  ['ECONNRESET', (peer) => `${peer} reset the connection`],
  ['UND_ERR_SOCKET', (peer) => `${peer} closed the connection without an answer`],
  ['UND_ERR_CONNECT_TIMEOUT', (peer) => `${peer} did not accept the connection in time`],
  ['ETIMEDOUT', (peer) => `${peer} did not answer in time`],
  ['CERT_HAS_EXPIRED', (peer) => `the certificate of ${peer} has expired`],
  ['ERR_TLS_CERT_ALTNAME_INVALID', (peer, host) => `the certificate of ${peer} is not for "${host}"`],
  ['ERR_SSL_WRONG_VERSION_NUMBER', (peer) => `${peer} does not speak TLS`],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', (peer) => `${peer} does not speak TLS`],
])

/** Explains a `fetch` error by its cause, because the error itself says only that the call failed. */
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

function findCause(error: unknown): { readonly code: string; readonly message: string } {
  const { cause, code, name, message }: Readonly<Record<string, unknown>> = Object(error)
  const inner = cause === undefined ? undefined : findCause(cause)
  if (inner && inner.code !== '') return inner
  if (name === 'TimeoutError') return { code: 'ETIMEDOUT', message: '' }
  if (typeof code === 'string') return { code, message: '' }
  return inner ?? { code: '', message: String(message ?? error) }
}
