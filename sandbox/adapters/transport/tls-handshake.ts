import net, { type Socket } from 'node:net'
import tls, { type PeerCertificate, type SecureContext, type TLSSocket } from 'node:tls'
import { checkServerIdentity } from '../server-identity.ts'
import { knownFailure } from './failure-outcomes.ts'
import { bareHost, type Link, type Opened, type Target } from './link.ts'

const MIN_RSA_BITS = 2_048

/**
 * Lower than in newer OpenSSL releases, so that our own rule rejects and names a weak key on every version of
 * Node.
 */
const CIPHERS = `${tls.DEFAULT_CIPHERS}:@SECLEVEL=1`

/** The longest wait for the session tickets after a TLS 1.3 handshake. */
const TICKETS_MS = 25
/** The wait for bytes after the tickets or a TLS 1.2 handshake. */
const GRACE_MS = 1

export interface Opening {
  readonly target: Target
  readonly link: Link
  readonly done: Opened
}

/**
 * Secures connections and checks certificates. `trustedCas` are PEM, trusted besides Node's roots and read
 * each time.
 */
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
    // A failed socket no longer has it.
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

/** Waits on a new connection before the request. An unrequested response would otherwise look valid. */
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
      return done(knownFailure('protocol_error', target, 'an answer came before the request'), null)
    }
    if (socket.destroyed) return done(knownFailure('closed_without_response', target), null)
    link.phase = 'open'
    done(null, socket)
  }
  socket.once('session', restart)
  socket.once('close', finish)
}

/** Other stacks are stricter than Node, which accepts the common name and weak keys. */
function checkCertificate(certificate: PeerCertificate, target: Target): Error | undefined {
  if (!certificate.subjectaltname) return knownFailure('tls_no_san', target)
  for (const { modulus, bits = 0 } of certificateChain(certificate)) {
    if (modulus !== undefined && bits < MIN_RSA_BITS) return knownFailure('tls_weak_key', target)
  }
  // This also applies if it is a trusted CA. Source: §5.1
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
  // Node's types promise it only for the detailed form, which is used here.
  return 'issuerCertificate' in certificate ? (certificate.issuerCertificate as PeerCertificate) : undefined
}

/** Reading the public roots takes milliseconds, so it is repeated only for changed CAs. */
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

/** Returns the failure behind an error of the socket if its code does not name one, or the error itself. */
function explainError(error: NodeJS.ErrnoException, socket: TLSSocket, target: Target): Error {
  // TLS 1.3 has an alert for a missing client certificate, 1.2 has none. But if a handshake fails after the receiver has shown its
  // certificate, and not because of it, the receiver misses ours.
  const wantsCertificate =
    error.code?.endsWith('_ALERT_HANDSHAKE_FAILURE') === true &&
    Object.keys(socket.getPeerCertificate()).length > 0
  return wantsCertificate ? knownFailure('tls_client_cert_required', target) : error
}

/**
 * True if the connection was reset just before the handshake was written. Node reports a plain end then, but
 * the unwritten bytes stay in the queue.
 */
function isLostReset({ code, syscall }: NodeJS.ErrnoException, handle: unknown): boolean {
  if (code !== 'ECONNRESET' || syscall !== undefined || typeof handle !== 'object' || handle === null)
    return false
  return Number(Reflect.get(handle, 'writeQueueSize')) > 0
}

function withoutDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host
}
