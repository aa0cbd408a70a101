import net, { type LookupFunction, type Socket } from 'node:net'
import type { Egress, Refusal } from '../../engine/delivery/egress.ts'
import { KnownFailure, knownFailure, refusalOutcome } from './failure-outcomes.ts'
import type { Lookup } from './lookup.ts'
import { bareHost, type Link, type Opened, type Target } from './link.ts'
import { createHandshake } from './tls-handshake.ts'

/** A function that connects to a target. Calls `done` once, before any data is sent, with an error or a checked TLS socket. */
export type GuardedConnector = (target: Target, link: Link, done: Opened) => void

interface GuardedConnectorOptions {
  readonly trustedCas: () => readonly string[]
  readonly egress: Egress
  readonly lookup: Lookup
}

const KEEP_ALIVE_PROBE_MS = 60_000
/**
 * The time before Node tries the next address of a host name, in milliseconds. Node's default of 250 ms is too short for a busy
 * machine.
 */
const ANY_FAMILY = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2_000 }

/** Opens TLS connections only to allowed targets. Checks every address of a host name, and then the address of the connection. */
export function createGuardedConnector(options: GuardedConnectorOptions): GuardedConnector {
  const { egress } = options
  const shakeHands = createHandshake(options.trustedCas)

  return (target, link, done) => {
    const host = bareHost(target)
    const isLiteral = net.isIP(host) !== 0
    link.phase = isLiteral ? 'connecting' : 'resolving'
    Object.assign(link, NOTHING_YET)
    const finish = once(done)
    const refusal = isLiteral && refuseLiteral(host, target, egress)
    if (refusal) return queueMicrotask(() => finish(refusal, null))

    const raw = net.connect({
      host,
      port: target.port,
      ...(target.from === undefined ? ANY_FAMILY : { localAddress: target.from, family: 4 }),
      lookup: guardLookup(target, link, options),
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
    })
    link.socket = raw
    raw.on('error', (error) => finish(error, null))
    raw.once('connect', () => {
      link.reachedAt = performance.now()
      const unfit = checkPeer(raw, target, egress)
      if (unfit) {
        raw.destroy()
        return finish(unfit, null)
      }
      shakeHands(raw, { target, link, done: finish })
    })
  }
}

const NOTHING_YET: Partial<Link> = {
  socket: undefined,
  error: undefined,
  resolvedAt: undefined,
  reachedAt: undefined,
}

/** Returns an error for a forbidden IP address in a URL, because lookups check only host names. */
function refuseLiteral(host: string, target: Target, egress: Egress): Error | undefined {
  const refusal = egress.judgeAddress(host, target.port, target.hostname)
  if (refusal) return toFailure(refusal)
  // The service's documented addresses are IPv4, so they cannot reach an IPv6 target.
  if (target.from === undefined || !net.isIPv6(host)) return undefined
  const why = `it is an IPv6 address, but ${target.from} is IPv4: give the receiver an IPv4 address`
  return knownFailure('unreachable', target, why)
}

/** Returns addresses only if every address is allowed. A guard that checks only one address could be bypassed. */
function guardLookup(
  { hostname, port }: Target,
  link: Link,
  { egress, lookup }: Pick<GuardedConnectorOptions, 'egress' | 'lookup'>,
): LookupFunction {
  return (name, options, callback) => {
    // Names under "localhost" mean this machine, but few resolvers know them. Source: RFC 6761 §6.3
    const known = /(^|\.)localhost\.?$/.test(name) ? 'localhost' : name
    lookup(known, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])

      for (const { address } of addresses) {
        const refusal = egress.judgeAddress(address, port, hostname)
        if (refusal) return callback(toFailure(refusal), [])
      }
      const [first] = addresses
      if (!first) return callback(knownFailure('dns_not_found', { hostname, port }), [])
      link.phase = 'connecting'
      link.resolvedAt = performance.now()
      // Node expects a single address if the source address is fixed.
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
    // Treats an address of this machine like loopback, because it reaches the same listeners.
    (remoteAddress === localAddress ? egress.judgeAddress('127.0.0.1', remotePort, hostname) : undefined)
  return refusal && toFailure(refusal)
}

function toFailure(refusal: Refusal): KnownFailure {
  return new KnownFailure(refusalOutcome(refusal))
}

function once(done: Opened): Opened {
  let isDone = false
  return (...result) => {
    if (isDone) return
    isDone = true
    done(...result)
  }
}
