import { errors } from 'undici'
import { errorMessage, isError } from '../../../spec/errors.ts'
import type { FailureReason, Unanswered } from '../../engine/core/ports.ts'
import type { Refusal } from '../../engine/delivery/egress.ts'
import { failureOutcome } from './failure-messages.ts'
import type { Target } from './link.ts'

export type Phase = 'queued' | 'resolving' | 'connecting' | 'securing' | 'sending' | 'waiting'

export interface FailureContext {
  readonly target: Target
  readonly phase: Phase
  readonly deadlineMs: number
}

export class KnownFailure extends Error {
  override readonly name = 'KnownFailure'
  readonly reason: FailureReason

  constructor({ reason, message }: Pick<Unanswered, 'reason' | 'message'>) {
    super(message)
    this.reason = reason
  }
}

export function knownFailure(
  reason: FailureReason,
  target: Parameters<typeof failureOutcome>[1],
  code = '',
): KnownFailure {
  return new KnownFailure(failureOutcome(reason, target, { code }))
}

/** The failure reasons for error codes with the same meaning in every phase of a call. */
const REASON_BY_CODE: ReadonlyMap<string, FailureReason> = new Map([
  ['EMFILE', 'out_of_resources'],
  ['ENFILE', 'out_of_resources'],
  ['ENOMEM', 'out_of_resources'],
  ['ENOBUFS', 'out_of_resources'],
  ['EADDRNOTAVAIL', 'out_of_resources'],
  ['ENOTFOUND', 'dns_not_found'],
  ['EAI_AGAIN', 'dns_failed'],
  ['EAI_FAIL', 'dns_failed'],
  ['ECONNREFUSED', 'connect_refused'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['EACCES', 'unreachable'],
  ['EPERM', 'unreachable'],
  ['CERT_HAS_EXPIRED', 'tls_expired'],
  ['CERT_NOT_YET_VALID', 'tls_not_yet_valid'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_self_signed'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_hostname'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls_untrusted_ca'],
  ['CERT_UNTRUSTED', 'tls_untrusted_ca'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_incomplete_or_untrusted_chain'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'tls_incomplete_or_untrusted_chain'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls_incomplete_or_untrusted_chain'],
  ['INVALID_PURPOSE', 'tls_purpose'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tls_version'],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'tls_version'],
  ['ERR_SSL_WRONG_SSL_VERSION', 'tls_version'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_not_tls'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'tls_not_tls'],
  ['ERR_SSL_HTTP_REQUEST', 'tls_not_tls'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls_client_cert_required'],
])

const RESET_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE'])

const REASON_BY_PHASE: Readonly<Record<Phase, FailureReason>> = {
  queued: 'out_of_resources',
  resolving: 'dns_timeout',
  connecting: 'connect_timeout',
  securing: 'tls_timeout',
  sending: 'send_timeout',
  waiting: 'header_timeout',
}

export function errorOutcome(error: unknown, { target, phase, deadlineMs }: FailureContext): Unanswered {
  if (error instanceof KnownFailure) {
    return { kind: 'unanswered', reason: error.reason, message: error.message }
  }
  return failureOutcome(findReason(error, phase), target, { code: formatDetail(error), deadlineMs })
}

export function timeoutOutcome({ target, phase, deadlineMs }: FailureContext): Unanswered {
  const code = phase === 'queued' ? 'all connections to the receiver are busy' : ''
  return failureOutcome(REASON_BY_PHASE[phase], target, { code, deadlineMs })
}

export function refusalOutcome({ code, message }: Refusal): Unanswered {
  return { kind: 'unanswered', reason: code === 'target_is_sandbox' ? code : 'blocked_address', message }
}

export function isInterruption(error: unknown): boolean {
  return error instanceof KnownFailure && error.reason === 'interrupted'
}

export function isDeadConnection(error: unknown): boolean {
  const code = errorCode(error)
  return RESET_CODES.has(code) || (code === 'UND_ERR_SOCKET' && !isRefusedByParser(error))
}

/**
 * Returns true if the response was malformed, but not truncated. A malformed response does not count as a response, even with a
 * status line.
 */
export function isBadFraming(error: unknown): boolean {
  return error instanceof errors.HTTPParserError && error.message !== END_OF_DATA
}

/** Returns true if an idle connection ended because of unexpected bytes. */
export function isSurplus(error: unknown): boolean {
  return error instanceof errors.HTTPParserError || errorMessage(error) === BAD_RESPONSE
}

function findReason(error: unknown, phase: Phase): FailureReason {
  const code = errorCode(error)
  const reason = REASON_BY_CODE.get(code)
  if (reason) return reason
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return 'tls_handshake'

  switch (phase) {
    case 'queued':
      return 'out_of_resources'
    case 'resolving':
      return 'dns_failed'
    case 'connecting':
      return code === 'ETIMEDOUT' ? 'connect_timeout' : RESET_CODES.has(code) ? 'reset' : 'unreachable'
    case 'securing':
      // If the peer closes during the TLS handshake, Node reports a reset code without a system call.
      return RESET_CODES.has(code) && hasSyscall(error) ? 'reset' : 'tls_handshake'
    case 'sending':
    case 'waiting':
      return findReasonWhenConnected(error)
    default:
      return phase satisfies never
  }
}

function findReasonWhenConnected(error: unknown): FailureReason {
  const code = errorCode(error)
  if (RESET_CODES.has(code)) return 'reset'
  if (code === 'ETIMEDOUT') return 'unreachable'
  if (code !== 'UND_ERR_SOCKET') return 'protocol_error'
  if (!isRefusedByParser(error)) return 'closed_without_response'
  return errorMessage(error) === BAD_UPGRADE ? 'unexpected_upgrade' : 'protocol_error'
}

// Undici errors that are recognized by message. The first two errors share the code of a closed connection. The error for
// `END_OF_DATA` has no `code` property.
const BAD_UPGRADE = 'bad upgrade'
const BAD_RESPONSE = 'bad response'
const END_OF_DATA = 'Response does not match the HTTP/1.1 protocol (Invalid EOF state)'

function isRefusedByParser(error: unknown): boolean {
  const message = errorMessage(error)
  return message === BAD_UPGRADE || message === BAD_RESPONSE
}

function errorCode(error: unknown): string {
  if (!isError(error) || !('code' in error)) return 'unknown error'
  return typeof error.code === 'string' ? error.code : 'unknown error'
}

function formatDetail(error: unknown): string {
  const explanation =
    error instanceof errors.HTTPParserError ? /\(([^)]+)\)$/.exec(error.message)?.[1] : undefined
  if (explanation !== undefined) return explanation
  return errorMessage(error) === BAD_RESPONSE ? 'an answer without a request' : errorCode(error)
}

function hasSyscall(error: unknown): boolean {
  return isError(error) && 'syscall' in error && typeof error.syscall === 'string'
}
