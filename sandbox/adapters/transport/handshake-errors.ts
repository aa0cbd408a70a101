import type { TLSSocket } from 'node:tls'
import { knownFailure, type FailureTarget } from './failure-outcomes.ts'

interface Handshake {
  readonly socket: TLSSocket
  readonly target: FailureTarget
  /** Node's handle of the socket. A failed socket no longer has one. */
  readonly handle: unknown
}

/** Returns the failure behind a handshake error where its code does not name one, or the error itself. */
export function explainHandshakeError(
  error: NodeJS.ErrnoException,
  { socket, target, handle }: Handshake,
): Error {
  if (isRefusedWithoutCertificate(error, socket)) return knownFailure('tls_client_cert_required', target)
  return isLostReset(error, handle) ? knownFailure('reset', target, 'ECONNRESET') : error
}

/**
 * True if the connection was reset just before the handshake was written. Node drops that write error and reports a plain end of the
 * connection, but the unwritten bytes stay in the queue.
 */
function isLostReset({ code, syscall }: NodeJS.ErrnoException, handle: unknown): boolean {
  if (code !== 'ECONNRESET' || syscall !== undefined || typeof handle !== 'object' || handle === null)
    return false
  return Number(Reflect.get(handle, 'writeQueueSize')) > 0
}

/**
 * TLS 1.3 has an alert of its own for it, 1.2 has not: but where a handshake fails after the receiver has shown its
 * certificate, and not because of it, the receiver misses ours.
 */
function isRefusedWithoutCertificate(error: NodeJS.ErrnoException, socket: TLSSocket): boolean {
  return (
    error.code?.endsWith('_ALERT_HANDSHAKE_FAILURE') === true &&
    Object.keys(socket.getPeerCertificate()).length > 0
  )
}
