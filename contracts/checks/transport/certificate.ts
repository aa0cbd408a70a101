import { failed, notObservable, PASSED, unreachable, type Finding } from '../../finding.ts'
import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import type { TlsFailed, TlsObservation } from '../../toolkit/ports.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'

/** The TLS errors about the name or the validity period of a certificate. All other TLS errors concern the certificate chain. */
const NOT_OF_THE_CHAIN: ReadonlySet<string> = new Set(['tls_hostname', 'tls_expired', 'tls_not_yet_valid'])

const DAY_MS = 86_400_000
const WARN_DAYS = 14

export const transportChecks: readonly ReceiverCheck[] = [
  {
    id: 'transport/trusted-chain',
    severity: 'must',
    probes: 'address',
    requirement: 'The certificate of the receiver chains to a trusted root.',
    lines: [24, 274, 331],
    meaning:
      'The service does not register the URL, and every delivery to it fails. You never learn about a payment.',
    remedy:
      'Use a certificate from a public CA. On your machine, use a certificate from the local CA ("npx hookbench cert <host>").',
    run: checkEachHost(
      'a TLS handshake with a certificate that is trusted',
      ({ distrust, message }) => (distrust === null || NOT_OF_THE_CHAIN.has(distrust) ? undefined : message),
      ({ message }, expected, hostname) => failed(expected, `${hostname}: ${message}`, {}),
    ),
  },
  {
    id: 'transport/not-self-signed',
    severity: 'must',
    probes: 'address',
    requirement: 'The certificate of the receiver is issued by a CA and is not self-signed.',
    lines: [24, 274, 331],
    meaning:
      'The service rejects self-signed certificates, even if your own machines trust them. You cannot register the URL, and nothing arrives.',
    remedy:
      'Use a certificate from a CA. The service does not trust a self-signed certificate that your own machines trust.',
    run: checkEachHost('a certificate issued by a CA', (seen) =>
      isSelfSigned(seen) ? 'the certificate is self-signed' : undefined,
    ),
  },
  {
    id: 'transport/name-and-validity',
    severity: 'must',
    probes: 'address',
    requirement: 'The certificate of the receiver is for the host of its URL and is valid now.',
    lines: [274, 331],
    meaning:
      'Deliveries fail as soon as the certificate is for another host, or is not valid at the current time. After the last retry, you never learn about the payments in the failed deliveries.',
    remedy:
      'Issue the certificate for the host of the registered URL. Renew the certificate automatically before it expires.',
    run: checkEachHost('a certificate for its host that is valid now', (seen, hostname) => {
      const { distrust, message } = seen
      const isDistrusted = distrust !== null && NOT_OF_THE_CHAIN.has(distrust)
      return (
        describeNameFault(seen, hostname) ??
        describeValidityFault(seen) ??
        (isDistrusted ? message : undefined)
      )
    }),
  },
  {
    id: 'transport/expires-soon',
    severity: 'should',
    probes: 'address',
    requirement: `The certificate of the receiver is valid for at least another ${WARN_DAYS} days.`,
    lines: [274, 331],
    meaning: 'When the certificate expires, every delivery fails.',
    remedy: 'Renew the certificate now, and set up automatic renewal.',
    run: checkEachHost(`a certificate that is valid for ${WARN_DAYS} days or more`, ({ chain, seenAt }) => {
      const [leaf] = chain
      const days = leaf ? Math.floor((Date.parse(leaf.notAfter) - Date.parse(seenAt)) / DAY_MS) : 0
      if (!leaf || days >= WARN_DAYS) return undefined
      return `the certificate ${days < 0 ? 'expired' : `expires in ${days} days`}, on ${leaf.notAfter}`
    }),
  },
  {
    id: 'transport/sends-intermediates',
    severity: 'should',
    probes: 'address',
    requirement: 'The receiver sends the intermediate certificates between its own certificate and the root.',
    lines: [274],
    meaning:
      'Browsers fetch missing intermediate certificates and show a lock. The service does not fetch intermediate certificates, so every delivery fails although "it works in the browser".',
    remedy: 'Serve the full chain (often named fullchain.pem), and not only the certificate.',
    run: checkEachHost('every certificate of the chain up to the root', (seen) => {
      if (seen.distrust === null) return undefined
      if (isSelfSigned(seen))
        return notObservable('the certificate is self-signed, so it has no intermediates')
      const missing = findMissingIssuer(seen)
      if (missing !== undefined) return `the sent chain lacks "${missing}"`
      return seen.distrust === 'tls_incomplete_or_untrusted_chain'
        ? notObservable('this machine does not trust the root, so the check cannot verify the chain')
        : undefined
    }),
  },
]

function checkEachHost(
  expected: string,
  findFault: (seen: TlsObservation, hostname: string) => string | Finding | undefined,
  withoutHandshake: (probe: TlsFailed, expected: string, hostname: string) => Finding = ({ message }) =>
    notObservable(`the receiver sent no certificate: ${message}`),
): ReceiverCheck['run'] {
  return async (context) => {
    const hosts = listHosts(context)
    if (hosts.size === 0) return notObservable('the receiver has no https URL')
    for (const [host, type] of hosts) {
      const { hostname } = new URL(`https://${host}`)
      const probe = await context.probeTls(type)
      if (probe.kind === 'failed' && !isTlsReason(probe)) return unreachable(probe.message)
      if (probe.kind === 'failed') return withoutHandshake(probe, expected, hostname)
      const fault = findFault(probe, hostname)
      if (typeof fault === 'string') return failed(expected, `${hostname}: ${fault}`, {})
      if (fault) return fault
    }
    return PASSED
  }
}

/** Returns true if the receiver answered without TLS. A timeout does not count as an answer. */
function isTlsReason({ reason }: TlsFailed): boolean {
  return /^(ERR_SSL_|EPROTO$|tls_(?!timeout$))/.test(reason)
}

function listHosts({ receiver }: Pick<CheckContext, 'receiver'>): ReadonlyMap<string, NotifiedType> {
  const places = receiver.types().flatMap((type) => {
    const url = receiver.url(type)
    return URL.canParse(url) && url.startsWith('https:') ? [[new URL(url).host, type] as const] : []
  })
  return new Map(places.toReversed())
}

/** Returns true for a self-signed certificate, even if this machine trusts the certificate. */
function isSelfSigned({ chain: [leaf], distrust }: TlsObservation): boolean {
  return distrust === 'tls_self_signed' || (leaf !== undefined && leaf.subject === leaf.issuer)
}

function describeNameFault(seen: TlsObservation, hostname: string): string | undefined {
  const { chain, distrust, message } = seen
  const [leaf] = chain
  if (distrust === 'tls_hostname') return message
  // Node reports only the first TLS error. If the error is not `tls_hostname`, Node has not checked the names.
  if (distrust === null || !leaf || leaf.names.some((name) => isFor(name, hostname))) return undefined
  return `the certificate is for ${leaf.names.join(', ') || 'no host'}`
}

/** Returns true if the name of a certificate covers the host. A wildcard covers one label. Source: RFC 9525 */
function isFor(given: string, hostname: string): boolean {
  const name = given.replace(/^(DNS|IP Address|IP):/, '').toLowerCase()
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  if (!name.startsWith('*.')) return name === host
  const [, ...rest] = host.split('.')
  return name.slice(2) === rest.join('.')
}

function describeValidityFault({ chain: [leaf], seenAt }: TlsObservation): string | undefined {
  if (!leaf) return undefined
  const now = Date.parse(seenAt)
  if (now < Date.parse(leaf.notBefore)) return `the certificate is not valid before ${leaf.notBefore}`
  return now > Date.parse(leaf.notAfter) ? `the certificate expired on ${leaf.notAfter}` : undefined
}

function findMissingIssuer({ chain, distrust }: TlsObservation): string | undefined {
  const broken = chain.find(({ issuer }, index) => {
    const next = chain[index + 1]
    return next !== undefined && next.subject !== issuer
  })
  if (broken) return broken.issuer
  const [leaf, ...others] = chain
  const isAlone = leaf !== undefined && others.length === 0
  return isAlone && distrust === 'tls_incomplete_or_untrusted_chain' ? leaf.issuer : undefined
}
