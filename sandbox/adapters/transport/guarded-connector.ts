import net, { type LookupFunction, type Socket } from 'node:net'
import tls, { type PeerCertificate, type SecureContext, type TLSSocket } from 'node:tls'
import type { Egress } from '../../engine/delivery/egress.ts'
import { awaitQuiet } from './await-quiet.ts'
import type { OpeningTimes } from './call.ts'
import { KnownFailure, knownFailure, refusalOutcome } from './failure-outcomes.ts'
import { explainHandshakeError } from './handshake-errors.ts'
import { checkServerIdentity } from '../server-identity.ts'
import type { Lookup } from './lookup.ts'

export interface Target {
  /** As in the URL: lower case, Punycode, IPv6 in brackets. */
  readonly hostname: string
  readonly port: number
  /** The address of this machine to connect from; any if left out. */
  readonly from?: string
  /** The data folder that messages name in commands; the default one if left out. */
  readonly dataFolder?: string | undefined
}

/** The state of one connection, kept by the connector while it opens it. */
export interface Link extends OpeningTimes {
  phase: 'resolving' | 'connecting' | 'securing' | 'open'
  /** The one to destroy to end the connection, at whatever point it is. */
  socket: Socket | undefined
  /** The first one on the socket: what follows, such as its end, may hide the reason. */
  error: Error | undefined
}

/** Calls `done` once. Its socket has been checked and secured, and nothing was sent through it. */
export type GuardedConnector = (target: Target, link: Link, done: ConnectorCallback) => void

export type ConnectorCallback = (...result: [null, TLSSocket] | [Error, null]) => void

export interface GuardedConnectorOptions {
  readonly trustedCas: () => readonly string[]
  readonly egress: Egress
  readonly lookup: Lookup
}

const KEEP_ALIVE_PROBE_MS = 60_000
const MIN_RSA_BITS = 2_048

/**
 * Below the level of newer OpenSSL releases, so that a weak key is refused by our own rule, which names it,
 * and on every version of Node alike.
 */
const CIPHERS = `${tls.DEFAULT_CIPHERS}:@SECLEVEL=1`

/** Opens TLS connections only to where the policy lets it: checks what a name leads to, and what answered. */
export function createGuardedConnector(options: GuardedConnectorOptions): GuardedConnector {
  const { egress, lookup } = options
  const secureContext = cachedSecureContext(options.trustedCas)

  return (target, link, done) => {
    const host = bareHost(target)
    const isLiteral = net.isIP(host) !== 0
    link.phase = isLiteral ? 'connecting' : 'resolving'
    link.error = undefined
    link.resolvedAt = undefined
    link.reachedAt = undefined

    // A lookup is not called for literals; what it finds is checked there.
    const refusal = isLiteral ? egress.judgeAddress(host, target.port, target.hostname) : undefined
    if (refusal) return queueMicrotask(() => done(new KnownFailure(refusalOutcome(refusal)), null))
    if (target.from !== undefined && net.isIPv6(host))
      return queueMicrotask(() => done(noWayFrom(target), null))

    const raw = net.connect({
      host,
      port: target.port,
      ...(target.from === undefined ? { autoSelectFamily: true } : { localAddress: target.from, family: 4 }),
      lookup: guardedLookup(target, { egress, lookup }, () => {
        link.phase = 'connecting'
        link.resolvedAt = performance.now()
      }),
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
    })
    link.socket = raw

    const finish = once(done)
    raw.on('error', (error) => finish(error, null))
    raw.once('connect', () => {
      link.reachedAt = performance.now()
      const unfit = checkPeer(raw, target, egress)
      if (unfit) {
        raw.destroy()
        return finish(unfit, null)
      }
      link.phase = 'securing'
      secure(raw, { target, link, done: finish }, secureContext)
    })
  }
}

interface Opening {
  readonly target: Target
  readonly link: Link
  readonly done: ConnectorCallback
}

function secure(raw: Socket, { target, link, done }: Opening, secureContext: () => SecureContext): void {
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
  link.socket = socket
  const handle: unknown = Reflect.get(socket, '_handle')
  socket.on('error', (error) => {
    link.error ??= explainHandshakeError(error, { socket, target, handle })
    done(link.error, null)
  })
  socket.once('secureConnect', () =>
    awaitQuiet(socket, (found) => {
      if (found === 'closed') return done(knownFailure('closed_without_response', target), null)
      if (found === 'early') {
        socket.destroy()
        return done(knownFailure('protocol_error', target, EARLY), null)
      }
      link.phase = 'open'
      done(null, socket)
    }),
  )
}

const EARLY = 'an answer came before the request'

/** Answers only when all addresses may be called: a mixed answer passes a guard that looks at one. */
function guardedLookup(
  { hostname, port }: Target,
  { egress, lookup }: { readonly egress: Egress; readonly lookup: Lookup },
  resolved: () => void,
): LookupFunction {
  return (name, options, callback) => {
    // "*.localhost" is this machine, but few resolvers know it. Source: RFC 6761 §6.3
    const known = /(^|\.)localhost\.?$/.test(name) ? 'localhost' : name
    lookup(known, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])

      for (const { address } of addresses) {
        const refusal = egress.judgeAddress(address, port, hostname)
        if (refusal) return callback(new KnownFailure(refusalOutcome(refusal)), [])
      }
      const [first] = addresses
      if (!first) return callback(knownFailure('dns_not_found', { hostname, port }), [])
      resolved()
      // From a fixed address there is but one family, and Node asks for one address only.
      return options.all === true
        ? callback(null, [...addresses])
        : callback(null, first.address, first.family)
    })
  }
}

function checkPeer(socket: Socket, { hostname, port }: Target, egress: Egress): Error | undefined {
  const { remoteAddress, remotePort, localAddress } = socket
  if (remoteAddress === undefined || remotePort === undefined)
    return knownFailure('reset', { hostname, port }, 'ECONNRESET')

  const refusal =
    egress.judgeAddress(remoteAddress, remotePort, hostname) ??
    // A connection to an own address of this machine reaches the same listeners as one to loopback.
    (remoteAddress === localAddress ? egress.judgeAddress('127.0.0.1', remotePort, hostname) : undefined)
  return refusal && new KnownFailure(refusalOutcome(refusal))
}

/** Stricter than Node, as other stacks are: it falls back to the common name, and does not look at keys. */
function checkCertificate(certificate: PeerCertificate, target: Target): Error | undefined {
  if (!certificate.subjectaltname) return knownFailure('tls_no_san', target)
  for (const { modulus, bits = 0 } of certificateChain(certificate)) {
    if (modulus !== undefined && bits < MIN_RSA_BITS) return knownFailure('tls_weak_key', target)
  }
  // Also when it is itself among the trusted CAs. Source: §5.1
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
  // Node's types promise it only for the detailed form, which is the one that is passed here.
  return 'issuerCertificate' in certificate ? (certificate.issuerCertificate as PeerCertificate) : undefined
}

/** Reading a hundred and more roots takes milliseconds: done again only when the trusted CAs have changed. */
function cachedSecureContext(trustedCas: () => readonly string[]): () => SecureContext {
  let known: readonly string[] = []
  let context: SecureContext | undefined
  return () => {
    const cas = trustedCas()
    const isSame = cas.length === known.length && cas.every((pem, index) => pem === known[index])
    if (context && isSame) return context

    known = [...cas]
    context = tls.createSecureContext({
      ca: [...tls.rootCertificates, ...known],
      ciphers: CIPHERS,
      minVersion: 'TLSv1.2',
    })
    return context
  }
}

/** The documented sending addresses are IPv4, and so are their images. */
function noWayFrom(target: Target): KnownFailure {
  const why = `it is an IPv6 address, and ${target.from} is not: give the receiver an IPv4 address`
  return knownFailure('unreachable', target, why)
}

function once(done: ConnectorCallback): ConnectorCallback {
  let isDone = false
  return (...result) => {
    if (isDone) return
    isDone = true
    done(...result)
  }
}

function bareHost({ hostname }: Target): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

function withoutDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host
}
