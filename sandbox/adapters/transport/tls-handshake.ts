import net, { type Socket } from 'node:net'
import tls, { type PeerCertificate, type SecureContext, type TLSSocket } from 'node:tls'
import { checkServerIdentity } from '../server-identity.ts'
import { knownFailure } from './failure-outcomes.ts'
import { bareHost, type Link, type Opened, type Target } from './link.ts'

const MIN_RSA_BITS = 2_048

/**
 * Allows a lower security level than the default of newer OpenSSL releases. Hookbench then rejects weak keys itself, with a clear
 * message.
 */
const CIPHERS = `${tls.DEFAULT_CIPHERS}:@SECLEVEL=1`

/** The maximum time to wait for session tickets after a TLS 1.3 handshake, in milliseconds. */
const TICKETS_MS = 25
/** The time to wait for unexpected bytes after session tickets or a TLS 1.2 handshake, in milliseconds. */
const GRACE_MS = 1

export interface Opening {
  readonly target: Target
  readonly link: Link
  readonly done: Opened
}

export function createHandshake(
  trustedCas: () => readonly string[],
): (raw: Socket, opening: Opening) => void {
  const secureContext = createSecureContexts(trustedCas)

  return (raw, { target, link, done }) => {
    const host = bareHost(target)
    const socket = tls.connect({
      socket: raw,
      host,
      servername: net.isIP(host) === 0 ? withoutDot(host) : '',
      ALPNProtocols: ['http/1.1'],
      secureContext: secureContext(),
      rejectUnauthorized: true,
      checkServerIdentity: (_, certificate) => checkCertificate(certificate, target),
    })
    link.phase = 'securing'
    link.socket = socket
    // Reads the handle of the socket now, because a failed socket no longer has a handle.
    const handle: unknown = Reflect.get(socket, '_handle')
    socket.on('error', (error) => {
      link.error ??= isLostReset(error, handle)
        ? knownFailure('reset', target, 'ECONNRESET')
        : explainError(error, socket, target)
      done(link.error, null)
    })
    socket.once('secureConnect', () => awaitQuiet(socket, { target, link, done }))
  }
}

/** Waits briefly on a new connection before the request. Without this wait, a response that arrives before the request would look valid. */
function awaitQuiet(socket: TLSSocket, { target, link, done }: Opening): void {
  let timer = setTimeout(finish, socket.getProtocol() === 'TLSv1.3' ? TICKETS_MS : GRACE_MS)
  function restart(): void {
    clearTimeout(timer)
    timer = setTimeout(finish, GRACE_MS)
  }
  function finish(): void {
    clearTimeout(timer)
    socket.off('session', restart)
    socket.off('close', finish)
    if (socket.readableLength > 0) {
      socket.destroy()
      return done(knownFailure('protocol_error', target, 'the answer arrived before the request'), null)
    }
    if (socket.destroyed) return done(knownFailure('closed_without_response', target), null)
    link.phase = 'open'
    done(null, socket)
  }
  socket.once('session', restart)
  socket.once('close', finish)
}

/** Rejects certificates without SANs or with weak keys, which Node accepts but other TLS stacks reject. */
function checkCertificate(certificate: PeerCertificate, target: Target): Error | undefined {
  if (!certificate.subjectaltname) return knownFailure('tls_no_san', target)
  for (const { modulus, bits = 0 } of certificateChain(certificate)) {
    if (modulus !== undefined && bits < MIN_RSA_BITS) return knownFailure('tls_weak_key', target)
  }
  // A self-signed certificate is rejected even if it is a trusted CA. Source: §5.1
  if (findIssuer(certificate)?.fingerprint256 === certificate.fingerprint256)
    return knownFailure('tls_self_signed', target)
  return checkServerIdentity(withoutDot(bareHost(target)), certificate)
}

function* certificateChain(leaf: PeerCertificate): Generator<PeerCertificate> {
  let certificate: PeerCertificate | undefined = leaf
  while (certificate) {
    yield certificate
    const issuer = findIssuer(certificate)
    certificate = issuer?.fingerprint256 === certificate.fingerprint256 ? undefined : issuer
  }
}

function findIssuer(certificate: PeerCertificate): PeerCertificate | undefined {
  // Node passes a detailed certificate here, although the declared type has no `issuerCertificate`.
  return 'issuerCertificate' in certificate ? (certificate.issuerCertificate as PeerCertificate) : undefined
}

/** Caches the secure context until the CAs change, because reading the public roots takes milliseconds. */
function createSecureContexts(trustedCas: () => readonly string[]): () => SecureContext {
  let known: string | undefined
  let context: SecureContext | undefined
  return () => {
    const cas = trustedCas()
    if (!context || known !== cas.join()) {
      known = cas.join()
      const ca = [...tls.rootCertificates, ...cas]
      context = tls.createSecureContext({ ca, ciphers: CIPHERS, minVersion: 'TLSv1.2' })
    }
    return context
  }
}

function explainError(error: NodeJS.ErrnoException, socket: TLSSocket, target: Target): Error {
  // TLS 1.2 has no alert for a missing client certificate. Instead, the handshake fails after the receiver sent its certificate.
  const wantsCertificate =
    error.code?.endsWith('_ALERT_HANDSHAKE_FAILURE') === true &&
    Object.keys(socket.getPeerCertificate()).length > 0
  return wantsCertificate ? knownFailure('tls_client_cert_required', target) : error
}

/** Returns true for a reset before the handshake. Node reports a normal end then, but some written bytes are still queued. */
function isLostReset({ code, syscall }: NodeJS.ErrnoException, handle: unknown): boolean {
  if (code !== 'ECONNRESET' || syscall !== undefined || typeof handle !== 'object' || handle === null)
    return false
  return Number(Reflect.get(handle, 'writeQueueSize')) > 0
}

function withoutDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host
}
